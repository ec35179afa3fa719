import Foundation
import SightlineArchive
import SightlineContent
import SightlineFormats
import SightlineModels
import SightlinePictures
public import SightlineReadWorkers
import SightlineStore
import SightlineTransit

/// What is read apart, and by whom: the readers that run in a worker (`sightline read-worker`).
///
/// What they answer is written by ``ForeignAnswers``, and checked there when it is read in the server.
public enum ForeignReaders {
  /// A world from elsewhere.
  static let world = ReadKind(1, "world", seconds: 5, mebibytes: 640, largestAnswer: 48 << 20)
  /// An answer of OpenStreetMap's service.
  static let map = ReadKind(2, "map", seconds: 5, mebibytes: 640, largestAnswer: 16 << 20)
  /// A file that an author brings into the studio, with the pictures in it.
  static let draft = ReadKind(3, "draft", seconds: 45, largestAnswer: 96 << 20)
  /// A picture or model that is uploaded.
  static let picture = ReadKind(4, "picture", seconds: 20, largestAnswer: 64 << 20)
  /// A poster's picture.
  static let poster = ReadKind(5, "poster", seconds: 30, largestAnswer: 64 << 20)

  /// A GTFS-Realtime message.
  static let realtime = ReadKind(6, "realtime", seconds: 5, largestAnswer: 160 << 20)
  /// A SIRI answer.
  static let siri = ReadKind(7, "siri", seconds: 3, mebibytes: 512, largestAnswer: 24 << 20)
  /// A provider's answer in the plain JSON form.
  static let board = ReadKind(8, "board", seconds: 2, mebibytes: 512, largestAnswer: 24 << 20)
  /// A provider's list of stops.
  static let stops = ReadKind(9, "stops", seconds: 20, largestAnswer: 96 << 20)

  /// A poster's stored picture, to be made a target.
  static let target = ReadKind(10, "target", seconds: 30, largestAnswer: ForeignAnswers.largestTarget + 16)

  /// A file in an archive that a world from elsewhere came in.
  static let packed = ReadKind(12, "packed", seconds: 5, largestAnswer: 20 << 20)

  /// Everything that a worker reads.
  public static let handlers: [ReadHandler] = [
    ReadHandler(world) { parameters, document in readWorld(parameters, document) },
    ReadHandler(map) { parameters, document in readMap(parameters, document) },
    ReadHandler(draft) { parameters, document in readDraft(parameters, document) },
    ReadHandler(picture) { parameters, document in readPicture(parameters, document) },
    ReadHandler(poster) { _, document in readPoster(document) },
    ReadHandler(realtime) { _, document in readRealtime(document) },
    ReadHandler(siri) { parameters, document in readSIRI(parameters, document) },
    ReadHandler(board) { _, document in readBoard(document) },
    ReadHandler(target) { parameters, document in readTarget(parameters, document) },
    ReadHandler(stops) { parameters, document in readStops(parameters, document) },
    ReadHandler(packed) { parameters, document in readPacked(parameters, document) },
  ]

  // MARK: In the worker

  private static func readWorld(_ parameters: [UInt8], _ document: [UInt8]) -> [UInt8] {
    var reader = WireReader(parameters)
    let url = (try? reader.text(limit: Parameters.longestText)) ?? ""
    var (format, reading) = FormatRegistry.read(document, options: ReadingOptions(fileName: url, baseURL: url))
    if var dimension = reading.dimension {
      ForeignArchives.nameFiles(of: &dimension, in: document, at: url)
      reading.dimension = dimension
    }
    return ForeignAnswers.write(reading, format: format?.rawValue ?? "unknown")
  }

  private static func readPacked(_ parameters: [UInt8], _ document: [UInt8]) -> [UInt8] {
    var reader = WireReader(parameters)
    let name = (try? reader.text(limit: Parameters.longestText)) ?? ""
    let file = ForeignArchives.unpack(name, from: document)
    var writer = WireWriter(capacity: (file?.count ?? 0) + 16)
    writer.write(file != nil)
    writer.write(file ?? [])
    return writer.bytes
  }

  private static func readMap(_ parameters: [UInt8], _ document: [UInt8]) -> [UInt8] {
    var reader = WireReader(parameters)
    guard let name = try? reader.text(limit: Parameters.longestText), let topic = MapTopic(name),
      let (dimension, problems) = MapWorld.read(document, topic: topic)
    else { return ForeignAnswers.write(Reading(dimension: nil, problems: []), format: "overpass") }
    return ForeignAnswers.write(Reading(dimension: dimension, problems: problems), format: "overpass")
  }

  private static func readDraft(_ parameters: [UInt8], _ document: [UInt8]) -> [UInt8] {
    var reader = WireReader(parameters)
    guard let name = try? reader.text(limit: Parameters.longestText),
      let fileBytes = try? reader.count(limit: .max), let allBytes = try? reader.count(limit: .max)
    else { return [] }
    let data = Data(document)
    var (format, reading) = StudioService.read(data, name: name)
    var files: [PackedFile] = []
    if var world = reading.dimension {
      files = PackedPictures.unpack(world, from: data, fileBytes: fileBytes, allBytes: allBytes)
      var draft = StudioDocument(world)
      draft.identify()
      world = draft.dimension
      reading.dimension = world
    }
    return ForeignAnswers.write(reading, format: format, files: files)
  }

  private static func readPicture(_ parameters: [UInt8], _ document: [UInt8]) -> [UInt8] {
    var reader = WireReader(parameters)
    guard let side = try? reader.count(limit: PictureIntake.largestSide) else { return [] }
    var writer = WireWriter(capacity: 1024)
    PackedFile.Outcome(document, side: side).write(to: &writer)
    return writer.bytes
  }

  private static func readPoster(_ document: [UInt8]) -> [UInt8] {
    do { return ForeignAnswers.write(try PosterPictures.make(Data(document))) } catch {
      return ForeignAnswers.write(unfit: "\(error)")
    }
  }

  private static func readTarget(_ parameters: [UInt8], _ document: [UInt8]) -> [UInt8] {
    var reader = WireReader(parameters)
    guard let name = try? reader.text(limit: Parameters.longestText), let width = try? reader.double() else {
      return []
    }
    return ForeignAnswers.write(
      Result { () throws(PosterPictures.Unfit) in try PosterTarget.build(document, name: name, width: width) }
    )
  }

  private static func readRealtime(_ document: [UInt8]) -> [UInt8] {
    ForeignAnswers.write(
      Result { () throws(RealtimeError) in try RealtimeMessage(protobuf: document) }
        .mapError { .malformed($0.description) }
    ) { message, writer in ForeignAnswers.write(message, &writer) }
  }

  private static func readSIRI(_ parameters: [UInt8], _ document: [UInt8]) -> [UInt8] {
    var reader = WireReader(parameters)
    guard let isXML = try? reader.flag(), let zone = try? reader.text(limit: Parameters.longestText) else { return [] }
    let clock = ServiceClock(timeZone: TimeZone(identifier: zone) ?? .gmt)
    return ForeignAnswers.write(
      Result { () throws(ProviderFailure) in try SIRIDelivery(document, isXML: isXML, clock: clock) }
    ) { delivery, writer in ForeignAnswers.write(delivery, &writer) }
  }

  private static func readBoard(_ document: [UInt8]) -> [UInt8] {
    ForeignAnswers.write(
      Result { () throws(ProviderFailure) in try PlainDelivery(document) }
    ) { delivery, writer in ForeignAnswers.write(delivery, &writer) }
  }

  private static func readStops(_ parameters: [UInt8], _ document: [UInt8]) -> [UInt8] {
    var reader = WireReader(parameters)
    guard let name = try? reader.text(limit: Parameters.longestText), let grid = StopList.Grid(rawValue: name) else {
      return []
    }
    return ForeignAnswers.write(
      Result { try StopList.read(document, grid: grid) }.mapError { .malformed("\($0)") }
    ) { entries, writer in ForeignAnswers.write(entries, &writer) }
  }

  /// Reads something of every kind, so that what is loaded at its first use is there before a worker gives up files.
  public static func warmUp() {
    let samples = [
      #"<?xml version="1.0" encoding="UTF-8"?><dimension><name>é</name><features><featureTxt><lat>1</lat><lon>2</lon>"#
        + "<text>x</text></featureTxt></features></dimension>",
      #"<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>a</name><description>&lt;b&gt;</description>"#
        + "<Point><coordinates>1,2,3</coordinates></Point></Placemark></Document></kml>",
      #"<arml xmlns="http://www.opengis.net/arml/2.0"><ARElements/></arml>"#, "<locations/>",
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"ü"}}"#,
      #"{"elements":[{"type":"node","id":1,"lat":1,"lon":1,"tags":{"name":"n"}}]}"#,
      #"{"results":[{"id":"1","lat":"1","lng":"2","elevation":"3","title":"t"}]}"#, #"{"hotspots":[]}"#, "",
    ]
    for sample in samples { _ = readWorld(Parameters.world("http://example.org/a/b.xml"), Array(sample.utf8)) }
    _ = readMap(Parameters.map("food"), Array(samples[5].utf8))
    _ = readDraft(Parameters.draft("a.kml", fileBytes: 1 << 20, allBytes: 1 << 20), Array(samples[1].utf8))
    let pixels = (0..<(64 * 64 * 4)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let picture = Picture(width: 64, height: 64, layout: .rgba, pixels: pixels)
    for file in [try? picture.png(), try? picture.converted(to: .rgb).jpeg(quality: 80)] {
      guard let file else { continue }
      _ = readPicture(Parameters.picture(side: 32), file)
      _ = readPoster(file)
    }
    _ = readPicture(Parameters.picture(side: 32), Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBPVP8 ".utf8))
    _ = readPicture(Parameters.picture(side: 32), Array("glTF".utf8) + [2, 0, 0, 0, 12, 0, 0, 0])
    warmUpTransit()
  }

  private static func warmUpTransit() {
    // A header, and a notice with a text.
    _ = readRealtime([
      0x0A, 5, 0x0A, 3, 0x32, 0x2E, 0x30, 0x12, 11, 0x2A, 9, 0x52, 7, 0x0A, 5, 0x0A, 3, 0x61, 0xC3, 0xA9,
    ])
    let visit =
      #"{"ServiceDelivery":{"Status":"true","StopMonitoringDelivery":{"MonitoredStopVisit":{"MonitoredVehicleJourney":"#
      + #"{"LineRef":"É","VehicleMode":"Bus","DirectionRef":"Aller","MonitoredCall":{"#
      + #""AimedDepartureTime":"2026-07-02T08:06:00","ExpectedDepartureTime":"2026-07-02T08:06:00Z"}}}}}}"#
    let situation =
      "<Siri><ServiceDelivery><SituationExchangeDelivery><PtSituationElement><SituationNumber>1</SituationNumber>"
      + "<Severity>É</Severity><Summary xml:lang=\"FR\">é</Summary><ValidityPeriod><StartTime>2026-03-01T00:00:00"
      + "</StartTime></ValidityPeriod></PtSituationElement></SituationExchangeDelivery></ServiceDelivery></Siri>"
    for zone in ["Europe/Paris", "GMT+0200"] {
      _ = readSIRI(Parameters.siri(isXML: false, timeZone: zone), Array(visit.utf8))
      _ = readSIRI(Parameters.siri(isXML: true, timeZone: zone), Array(situation.utf8))
    }
    _ = readBoard(
      Array(
        #"{"updated":"2026-03-02T08:00:00Z","departures":[{"line":"4","color":"00FF00","scheduled":"2026-03-02T08:00:00Z"}]}"#
          .utf8
      )
    )
    for grid in StopList.Grid.allCases {
      let (x, y) = grid == .rt90 ? (6_404_000, 1_271_000) : (6_399_000, 319_000)
      let rows = "id,name,x,y,lat,lon,wheelchair\na,É \"b\",\(x),\(y),57.7,11.9,true\n,,,,,,\n"
      let list = #"{"stops":[{"id":"a","name":"é","lat":1,"lon":2,"x":\#(x),"y":\#(y),"lines":[{"name":"4"}]}]}"#
      for text in [rows, list] { _ = readStops(Parameters.stops(grid), Array(text.utf8)) }
    }
  }

  /// What the server tells the worker beside the document.
  enum Parameters {
    static let longestText = 16 * 1024

    static func world(_ url: String) -> [UInt8] {
      var writer = WireWriter()
      writer.write(url)
      return writer.bytes
    }

    static func map(_ topic: String) -> [UInt8] { world(topic) }

    static func packed(_ name: String) -> [UInt8] { world(name) }

    static func draft(_ name: String, fileBytes: Int, allBytes: Int) -> [UInt8] {
      var writer = WireWriter()
      writer.write(name)
      writer.write(UInt32(clamping: fileBytes))
      writer.write(UInt32(clamping: allBytes))
      return writer.bytes
    }

    static func siri(isXML: Bool, timeZone: String) -> [UInt8] {
      var writer = WireWriter()
      writer.write(isXML)
      writer.write(timeZone)
      return writer.bytes
    }

    static func target(_ name: String, width: Double) -> [UInt8] {
      var writer = WireWriter()
      writer.write(name)
      writer.write(width)
      return writer.bytes
    }

    static func stops(_ grid: StopList.Grid) -> [UInt8] { world(grid.rawValue) }

    static func picture(side: Int) -> [UInt8] {
      var writer = WireWriter()
      writer.write(UInt32(clamping: side))
      return writer.bytes
    }
  }
}
