import Foundation
import NIOCore
import SightlineContent
import SightlineImageTargets
import SightlineImport
import SightlineReadWorkers
import SightlineStore

/// The answers of ``ForeignReaders``, written in a worker and read in the server, which believes nothing: sizes are
/// held against bounds, texts are UTF-8, files are what they say they are.
enum ForeignAnswers {
  /// A world that was read, in the JSON that goes to clients: the server need not take it apart.
  struct World: Sendable {
    var format: String
    /// The world's name.
    var title: String?
    /// `nil` when the document was refused.
    var dimensionJSON: ArraySlice<UInt8>?
    var problemsJSON: ArraySlice<UInt8>
    var files: [PackedFile]

    /// The findings, taken apart.
    ///
    /// - Throws: ``WireReader/Malformed``.
    var problems: [Problem] {
      get throws {
        do { return try JSONDecoder().decode([Problem].self, from: Data(problemsJSON)) } catch {
          throw WireReader.Malformed()
        }
      }
    }

    /// The world, taken apart; `nil` when the document was refused.
    ///
    /// - Throws: ``WireReader/Malformed``.
    var dimension: SightlineContent.Dimension? {
      get throws {
        do {
          return try dimensionJSON.map { try JSONDecoder().decode(SightlineContent.Dimension.self, from: Data($0)) }
        } catch {
          throw WireReader.Malformed()
        }
      }
    }
  }

  private static let largestJSON = 48 << 20
  private static let largestProblems = 8 << 20
  private static let longestText = 64 * 1024

  // MARK: Worlds

  /// Writes what a reader made.
  static func write(_ reading: Reading, format: String, files: [PackedFile] = []) -> [UInt8] {
    var problems = reading.problems
    var dimension: Data?
    do { dimension = try reading.dimension.map { try ContentJSON.encode($0) } } catch {
      problems.insert(Problem(.error, "number.range", line: nil, path: "", message: "\(error)"), at: 0)
    }
    var findings = (try? ContentJSON.encode(problems)) ?? Data("[]".utf8)
    if findings.count > largestProblems {
      findings = (try? ContentJSON.encode(Array(problems.prefix(100)))) ?? Data("[]".utf8)
    }
    var writer = WireWriter(capacity: (dimension?.count ?? 0) + findings.count + 256)
    writer.write(format)
    writer.write(reading.dimension?.name.map { String($0.prefix(2000)) })
    writer.write(dimension != nil)
    if let dimension { writer.write(dimension) }
    writer.write(findings)
    writer.write(UInt32(clamping: files.count))
    for file in files {
      writer.write(file.name)
      file.outcome.write(to: &writer)
    }
    return writer.bytes
  }

  /// Reads a world's answer.
  static func world(_ answer: [UInt8]) throws(WireReader.Malformed) -> World {
    var reader = WireReader(answer)
    let format = try reader.text(limit: 40)
    guard format.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { throw WireReader.Malformed() }
    let title = try reader.optionalText(limit: longestText)
    let dimension = try reader.flag() ? try json(&reader, limit: largestJSON, from: "{", to: "}") : nil
    let problems = try json(&reader, limit: largestProblems, from: "[", to: "]")
    var files: [PackedFile] = []
    for _ in 0..<(try reader.count(limit: PackedPictures.mostFiles)) {
      files.append(PackedFile(name: try reader.text(limit: longestText), outcome: try PackedFile.Outcome(&reader)))
    }
    try reader.end()
    return World(format: format, title: title, dimensionJSON: dimension, problemsJSON: problems, files: files)
  }

  /// JSON that is put into an answer as it is: UTF-8 without control characters, from bracket to bracket.
  private static func json(
    _ reader: inout WireReader,
    limit: Int,
    from first: Unicode.Scalar,
    to last: Unicode.Scalar
  ) throws(WireReader.Malformed) -> ArraySlice<UInt8> {
    let part = try reader.part(limit: limit)
    guard part.count >= 2, part.first == UInt8(ascii: first), part.last == UInt8(ascii: last),
      String(validating: part, as: UTF8.self) != nil
    else { throw WireReader.Malformed() }
    return part
  }

  // MARK: Posters

  private static let mostRenditions = 8

  /// Writes a poster's pictures.
  static func write(_ made: PosterPictures.Made) -> [UInt8] {
    var writer = WireWriter(capacity: made.renditions.reduce(256) { $0 + $1.bytes.count })
    writer.write(true)
    writer.write(made.color)
    writer.write(made.aspect)
    writer.write(UInt8(clamping: made.renditions.count))
    for rendition in made.renditions {
      writer.write(UInt32(clamping: rendition.width))
      writer.write(UInt32(clamping: rendition.height))
      writer.write(rendition.bytes)
    }
    return writer.bytes
  }

  /// Writes why a picture cannot be a poster's.
  static func write(unfit reason: String) -> [UInt8] {
    var writer = WireWriter()
    writer.write(false)
    writer.write(String(reason.prefix(1000)))
    return writer.bytes
  }

  /// Reads a poster's answer: its pictures, or why there are none.
  static func poster(
    _ answer: [UInt8]
  ) throws(WireReader.Malformed) -> Result<PosterPictures.Made, PosterPictures.Unfit> {
    var reader = WireReader(answer)
    guard try reader.flag() else {
      let reason = try reader.text(limit: longestText)
      try reader.end()
      return .failure(PosterPictures.Unfit(description: reason))
    }
    let color = try reader.text(limit: 7)
    let aspect = try reader.double()
    let digits = color.utf8.dropFirst()
    guard color.hasPrefix("#"), digits.count == 6, digits.allSatisfy(isHexadecimal), aspect > 0 else {
      throw WireReader.Malformed()
    }
    var renditions: [PosterPictures.Rendition] = []
    let count = Int(try reader.number(UInt8.self))
    guard (1...mostRenditions).contains(count) else { throw WireReader.Malformed() }
    for _ in 0..<count {
      let width = try reader.count(limit: PosterPictures.longestSide)
      let height = try reader.count(limit: PosterPictures.longestSide)
      let bytes = Data(try reader.part(limit: ImportedDocument.largestPicture * 2))
      guard width > 0, height > 0, AssetSniffer.mediaType(of: bytes) == "image/jpeg" else {
        throw WireReader.Malformed()
      }
      renditions.append(PosterPictures.Rendition(width: width, height: height, bytes: bytes))
    }
    try reader.end()
    return .success(PosterPictures.Made(renditions: renditions, color: color, aspect: aspect))
  }

  // MARK: Targets

  /// Largest target file, bytes: ten times what one of a detailed picture has.
  static let largestTarget = 1 << 20

  /// Writes a target file, or why there is none.
  static func write(_ result: Result<[UInt8], PosterPictures.Unfit>) -> [UInt8] {
    switch result {
    case .failure(let unfit): return write(unfit: unfit.description)
    case .success(let file):
      var writer = WireWriter(capacity: file.count + 8)
      writer.write(true)
      writer.write(file)
      return writer.bytes
    }
  }

  /// Reads a target's answer: a file with the start of one, or why there is none.
  static func target(_ answer: [UInt8]) throws(WireReader.Malformed) -> Result<[UInt8], PosterPictures.Unfit> {
    var reader = WireReader(answer)
    guard try reader.flag() else {
      let reason = try reader.text(limit: longestText)
      try reader.end()
      return .failure(PosterPictures.Unfit(description: reason))
    }
    let file = Array(try reader.part(limit: largestTarget))
    try reader.end()
    let version = [UInt8(truncatingIfNeeded: TargetFile.version), UInt8(truncatingIfNeeded: TargetFile.version >> 8)]
    guard file.count > TargetFile.nameOffset, file.starts(with: Array("SLTG".utf8) + version) else {
      throw WireReader.Malformed()
    }
    return .success(file)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }
}

/// A file in an archive, as it was read.
struct PackedFile: Sendable {
  /// What became of it.
  enum Outcome: Sendable {
    case taken(PictureIntake.Result)
    case refused(PictureIntake.Refusal)

    /// Takes a file in, in the worker.
    init(_ bytes: [UInt8], side: Int) {
      do throws(PictureIntake.Refusal) { self = .taken(try PictureIntake.read(bytes, side: side)) } catch {
        self = .refused(error)
      }
    }

    /// Takes a sound in as it is: nothing of it is decoded here.
    init(sound bytes: [UInt8]) {
      guard let mediaType = SoundSniffer.mediaType(of: bytes) else {
        self = .refused(.unreadable("it is no sound that can be played"))
        return
      }
      self = .taken(PictureIntake.Result(bytes: Data(bytes), mediaType: mediaType, size: nil))
    }

    private static let mediaTypes = ["image/png", "image/jpeg", "model/gltf-binary"]

    func write(to writer: inout WireWriter) {
      switch self {
      case .taken(let result):
        writer.write(UInt8(0))
        writer.write(result.mediaType)
        writer.write(UInt32(clamping: result.size?.width ?? 0))
        writer.write(UInt32(clamping: result.size?.height ?? 0))
        writer.write(result.bytes)
      case .refused(let refusal):
        let (number, reason) = refusal.parts
        writer.write(number)
        writer.write(String(reason.prefix(1000)))
      }
    }

    init(_ reader: inout WireReader) throws(WireReader.Malformed) {
      let number = try reader.number(UInt8.self)
      guard number == 0 else {
        let reason = try reader.text(limit: 8000)
        guard let refusal = PictureIntake.Refusal(number, reason) else { throw WireReader.Malformed() }
        self = .refused(refusal)
        return
      }
      let mediaType = try reader.text(limit: 40)
      let width = try reader.count(limit: PictureIntake.largestSide)
      let height = try reader.count(limit: PictureIntake.largestSide)
      let bytes = Data(try reader.part(limit: ForeignReaders.picture.largestAnswer))
      let isPicture = width > 0 && height > 0
      let isSound = SoundSniffer.mediaType(of: bytes) == mediaType
      guard isSound || Self.mediaTypes.contains(mediaType) && AssetSniffer.mediaType(of: bytes) == mediaType,
        isPicture == mediaType.hasPrefix("image/")
      else { throw WireReader.Malformed() }
      self = .taken(
        PictureIntake.Result(bytes: bytes, mediaType: mediaType, size: isPicture ? (width, height) : nil)
      )
    }

    /// The answer of a worker that read one picture.
    init(answer: [UInt8]) throws(WireReader.Malformed) {
      var reader = WireReader(answer)
      self = try Self(&reader)
      try reader.end()
      // Sounds come in archives only.
      if case .taken(let result) = self, result.mediaType.hasPrefix("audio/") { throw WireReader.Malformed() }
    }
  }

  /// Its path, as the document names it.
  var name: String
  var outcome: Outcome
}
