"""What the Debian package and the image are made of."""
