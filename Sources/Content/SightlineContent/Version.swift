/// The program's version.
public enum Version {
  /// As `sightline --version` prints it.
  public static let current = "0.1.0"
}
