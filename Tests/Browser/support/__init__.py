"""What the browser tests share: the real server, a server of foreign worlds, a phone, and geometry of their own."""
