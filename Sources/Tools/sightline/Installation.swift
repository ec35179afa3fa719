import Foundation
import SightlineGeodesy
import SightlineImport

/// Where the files lie that come with the program.
///
/// Looked for upwards from the program (a build in its source tree: `.build/debug/sightline`), in `share/sightline`
/// beside its `bin` folder (an installed copy), and in the current folder.
enum Installation {
  /// Folder of the web client.
  static func webClient() -> String? {
    first(["WebClient", "share/sightline/WebClient"], containing: "/index.html")
  }

  /// The engine as WebAssembly, as `Scripts/build-wasm` leaves it; the other files lie beside it.
  static func wasm() -> String? {
    first([".build-wasm/release/sightline.wasm", "share/sightline/sightline.wasm"], containing: "")
  }

  /// Between heights over the sea and over the ellipsoid: the web client's file.
  static func geoid() -> Geoid? {
    geoidFile().flatMap { FileManager.default.contents(atPath: $0) }.flatMap { try? Geoid([UInt8]($0)) }
  }

  /// The same for writers of documents; `nil` where the file is not.
  static func geoidHeight() -> (@Sendable (Double, Double) -> Double?)? {
    guard let sea = geoidFile().flatMap({ SeaLevel(geoidFile: $0) }) else { return nil }
    return { sea.height(latitudeDegrees: $0, longitudeDegrees: $1) }
  }

  private static func geoidFile() -> String? { webClient().map { $0 + "/data/egm96.geoid" } }

  /// Folder of the demonstration content.
  static func demonstration() -> String? { first(["Fixtures/demo", "share/sightline/demo"], containing: "") }

  private static func first(_ names: [String], containing file: String) -> String? {
    for root in roots() {
      for name in names where FileManager.default.fileExists(atPath: "\(root)/\(name)\(file)") {
        return "\(root)/\(name)"
      }
    }
    return nil
  }

  private static func roots() -> [String] {
    var roots: [String] = []
    if let program = Bundle.main.executableURL?.resolvingSymlinksInPath() {
      var folder = program.deletingLastPathComponent()
      for _ in 0..<6 {
        roots.append(folder.path == "/" ? "" : folder.path)
        guard folder.path != "/" else { break }
        folder.deleteLastPathComponent()
      }
    }
    return roots + [FileManager.default.currentDirectoryPath]
  }
}
