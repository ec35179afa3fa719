import ArgumentParser
import Foundation
import SightlineMarkers
import SightlineMath

/// The options that say how several markers are fixed to each other.
struct MarkerLayoutArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The markers are those of a chessboard: squares across and down.", valueName: "columns>x<rows")
  )
  var board: BoardSize?

  @Option(parsing: .unconditional, help: ArgumentHelp("Side of a chessboard square, metres.", valueName: "metres"))
  var square: Double?

  @Option(help: ArgumentHelp("Where each marker is on one rigid thing: a JSON file.", valueName: "file"))
  var map: String?

  /// Whether the options go together, and with the others of the command.
  func validate(dictionaries: [DictionaryArgument], markerLength: Double?, camera: CameraArguments) throws {
    guard board != nil || map != nil else {
      guard square == nil else { throw ValidationError("--square says nothing without --board.") }
      return
    }
    guard board == nil || map == nil else { throw ValidationError("Give --board or --map, not both.") }
    guard camera.intrinsics != nil else { throw ValidationError("A pose needs the camera: give --intrinsics.") }
    guard let board else {
      guard square == nil else { throw ValidationError("--square says nothing without --board.") }
      return
    }
    guard dictionaries.count == 1 else { throw ValidationError("--board goes with one --dictionary.") }
    guard let square, let markerLength, square > markerLength, square < 100 else {
      throw ValidationError("--board needs --square and --marker-length, the square the longer one.")
    }
    guard board.markers <= dictionaries[0].dictionary.count else {
      throw ValidationError(board.tooFewMarkers(in: dictionaries[0].dictionary))
    }
  }

  /// The markers and their places, `nil` when nothing was said of them.
  /// - Throws: ``Failure`` when the map cannot be read.
  func board(dictionaries: [DictionaryArgument], markerLength: Double?) throws -> MarkerBoard? {
    if let board, let square, let markerLength, let dictionary = dictionaries.first?.dictionary {
      return CalibrationBoard(
        dictionary: dictionary,
        columns: board.columns,
        rows: board.rows,
        square: square,
        side: markerLength
      ).markerBoard
    }
    return try map.map { try MarkerMapFile.read($0) }
  }
}

/// A JSON file that says where each marker is on one rigid thing.
enum MarkerMapFile {
  private struct File: Decodable { var markers: [Entry] }

  private struct Entry: Decodable {
    var dictionary: String
    var id: Int
    var length: Double
    var position: [Double]
    var rotation: [Double]?
  }

  /// Larger ones are something else.
  private static let mostBytes = 4 << 20

  /// Reads a map.
  /// - Throws: ``Failure`` that says which entry is wrong, how, and what it should be.
  static func read(_ path: String) throws -> MarkerBoard {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure("\(path): cannot be read. Check the path.")
    }
    guard data.count <= mostBytes else { throw Failure("\(path): larger than 4 MiB: this is no map of markers.") }
    let file: File
    do {
      file = try JSONDecoder().decode(File.self, from: data)
    } catch let error as DecodingError {
      throw Failure("\(path): \(text(error))")
    }
    guard !file.markers.isEmpty else { throw Failure("\(path): there is no marker in \"markers\". Give one at least.") }
    var board = MarkerBoard(markers: [])
    for (index, entry) in file.markers.enumerated() {
      let place = try placed(entry, in: "\(path): markers[\(index)]")
      let isTwice = board.markers.contains {
        $0.id == place.id && $0.dictionary.family == place.dictionary.family
      }
      guard !isTwice else {
        throw Failure("\(path): markers[\(index)]: \(entry.dictionary) \(entry.id) was there before. Each comes once.")
      }
      board.markers.append(place)
    }
    return board
  }

  private static func placed(_ entry: Entry, in place: String) throws -> PlacedMarker {
    guard let dictionary = DictionaryArgument(argument: entry.dictionary)?.dictionary else {
      throw Failure("\(place): there is no dictionary \(entry.dictionary). See `sightline help markers`.")
    }
    guard (0..<dictionary.count).contains(entry.id) else {
      throw Failure("\(place): \(dictionary.publicName) has ids 0 to \(dictionary.count - 1), not \(entry.id).")
    }
    guard entry.length > 0, entry.length <= 100 else {
      throw Failure("\(place): length has to be the metres of the black border's outer edge, more than 0.")
    }
    guard entry.position.count == 3, entry.position.allSatisfy({ $0.magnitude <= 1e5 }) else {
      throw Failure("\(place): position has to be three numbers [x, y, z], metres.")
    }
    let r = entry.rotation ?? [1, 0, 0, 0]
    guard r.count == 4, let rotation = Quaternion(w: r[0], x: r[1], y: r[2], z: r[3]).normalized else {
      throw Failure("\(place): rotation has to be a quaternion [w, x, y, z] that is not zero.")
    }
    return PlacedMarker(
      dictionary: dictionary,
      id: entry.id,
      center: Vector3(entry.position[0], entry.position[1], entry.position[2]),
      side: entry.length,
      boardFromMarker: rotation
    )
  }

  private static func text(_ error: DecodingError) -> String {
    func place(_ path: [any CodingKey]) -> String {
      path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined().drop { $0 == "." }.description
    }
    return switch error {
    case .keyNotFound(let key, let context):
      "\(context.codingPath.isEmpty ? "" : place(context.codingPath) + ": ")\"\(key.stringValue)\" is missing."
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(place(context.codingPath)): another kind of value is expected here. See `sightline help markers detect`."
    default: "this is no JSON. Write {\"markers\":[…]}; see `sightline help markers detect`."
    }
  }
}
