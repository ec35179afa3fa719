import ArgumentParser
import Foundation
import SightlineGeodesy
import SightlineInput
import SightlineMarkers
import SightlinePictures
import SightlineRecording
import SightlineSimulator

/// `sightline simulate`.
struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Record a session that never was: a virtual phone follows a script.",
    discussion: """
      Reads a script (Documentation/simulator.md; examples in Examples/Simulations) that says how the phone moves, what it \
      is and what stands around it, and writes a recording with what its sensors, its satellite receiver and its camera \
      would have delivered, and with the truth. The same script gives the same bytes.

      See what the engine makes of it:  sightline replay walk.slrec --render walk.mp4

      With --sequence it writes what world tracking gets, in a folder: motion readings and grey frames of a camera with a \
      rolling shutter, a lens that bends and a clock of its own, and the truth in the folder truth.

      See what the engine makes of that:  sightline odometry track --input walk --output poses.csv
      """
  )

  @Argument(help: ArgumentHelp("The script.", valueName: "script")) var script: String
  @Option(name: .shortAndLong, help: ArgumentHelp("Recording to write; - is standard output.", valueName: "recording"))
  var output: String?
  @Option(
    help: ArgumentHelp(
      "Write a sequence for world tracking into this folder: frames, motion readings and the truth.",
      valueName: "folder"
    )
  )
  var sequence: String?
  @Option(
    help: ArgumentHelp(
      "Also write the truth of every frame as lines of JSON: pose, motion, landmarks and corners of pictures.",
      valueName: "file"
    )
  )
  var truth: String?
  @Flag(help: "Leave out the camera's pictures, which take most of the time.") var noPictures = false
  @Option(help: ArgumentHelp("Quality of the pictures' JPEG, 1 to 100; 100 writes PNG.", valueName: "quality"))
  var quality = 88

  func validate() throws {
    guard (1...100).contains(quality) else { throw ValidationError("--quality is \(quality); it has to be 1 to 100.") }
    guard output != nil || sequence != nil else {
      throw ValidationError(
        "say what to write: a recording with --output, a sequence for world tracking with --sequence."
      )
    }
    guard output != nil || truth == nil else {
      throw ValidationError(
        "--truth belongs to a recording; a sequence has its truth in its folder. Give --output too, or leave --truth out."
      )
    }
  }

  func run() throws {
    guard let data = FileManager.default.contents(atPath: script) else {
      throw Failure("\(script) cannot be read. Check the path.")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw Failure("\(script) is not text in UTF-8. A script is a text file, see Documentation/simulator.md.")
    }
    let simulation: Simulation
    var textures: [Texture]
    var geoid = Installation.geoid()
    do {
      var script = try SimulationScript(text) { try? String(contentsOf: besideScript($0), encoding: .utf8) }
      let place = script.place
      script.geoidHeight =
        script.geoidHeight
        ?? geoid?.height(latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees)
      if let town = script.scenery.town {
        script.scenery.town = try TownReader.filled(town, around: script.place, path: besideScript(town.path).path)
      }
      textures = try script.scenery.pictures.indices.map { try texture(&script.scenery.pictures[$0]) }
      simulation = try Simulation(script)
    } catch let problem as ScriptProblem {
      throw Failure("\(script):\(problem)")
    }
    if let sequence { try write(sequence: sequence, simulation, textures) }
    guard let output else { return }
    let camera = noPictures ? nil : VirtualCamera(simulation, textures: textures)

    let sink: FileSink
    do {
      sink = try FileSink(output)
    } catch {
      throw Failure("\(output) cannot be written. Check the path and the rights of its folder.")
    }
    var recorder = try SimulationRecorder(
      simulation,
      camera: camera,
      geoid: geoid,
      quality: quality,
      name: URL(fileURLWithPath: script).lastPathComponent,
      to: sink
    )
    let truths = try truth.map { try TruthWriter($0, aspects: textures.map { Double($0.height) / Double($0.width) }) }
    let progress = Progress(total: UInt64(clamped: simulation.script.duration * 1000))
    try simulation.run { event, time throws in
      try recorder.take(event, at: time)
      if case .tick(let truth) = event { try truths?.take(truth, simulation) }
      progress.show(UInt64(clamped: time * 1000))
    }
    try recorder.finish()
    try truths?.close()
    progress.clear()
    Console.note("\(simulation.script.duration) s, \(Console.count(recorder.pictureCount, "picture")) in \(output)")
  }

  private func write(sequence path: String, _ simulation: Simulation, _ textures: [Texture]) throws {
    let run: SimulatedSequence
    do {
      run = try SimulatedSequence(simulation, textures: textures)
    } catch {
      throw Failure("\(script): \(error.description)")
    }
    let progress = Progress(total: UInt64(clamping: run.frames.count))
    try SequenceWriter(to: path, phone: simulation.script.phone).write(run, script: simulation.script) {
      progress.show(UInt64(clamping: $0))
    }
    progress.clear()
    Console.note(
      "\(simulation.script.duration) s, \(Console.count(run.frames.count, "frame")) and "
        + "\(Console.count(run.readings.count, "reading")) in \(path)"
    )
  }

  /// As seen from the script, so that a folder with both can be moved.
  private func besideScript(_ path: String) -> URL {
    URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: script))
  }

  /// What a picture shows; the paper of a marker gets its size with it.
  private func texture(_ picture: inout Scenery.Picture) throws -> Texture {
    if let marker = picture.marker {
      guard let dictionary = DictionaryArgument(argument: marker.dictionary)?.dictionary else {
        let names = DictionaryArgument.allValueStrings.joined(separator: ", ")
        throw Failure("\(script): marker: there is no dictionary \(marker.dictionary). Choose one of \(names).")
      }
      guard marker.id < dictionary.count else {
        throw Failure(
          "\(script): marker: \(marker.dictionary) has no number \(marker.id); choose 0 to \(dictionary.count - 1)."
        )
      }
      let print = MarkerPaper(dictionary, id: marker.id)
      picture.width = marker.side * print.widthInSides
      return Texture(width: print.cells, height: print.cells, bytes: print.tones, channels: 1, isSmooth: false)
    }
    let path = besideScript(picture.path).path
    do {
      let file = try Picture(contentsOfFile: path, as: .rgb)
      return Texture(
        width: file.width,
        height: file.height,
        bytes: file.pixels,
        channels: 3,
        isSmooth: picture.isSmooth
      )
    } catch {
      throw Failure("\(path), a picture of the script, cannot be used: \(error)")
    }
  }
}

/// A marker and a white margin of a cell around it, a tone for each cell.
struct MarkerPaper {
  /// Cells along a side, with border and margin.
  let cells: Int
  /// Row by row, 0 … 255: as black and as white as ink and paper are.
  private(set) var tones: [UInt8] = []
  /// Side of the paper in sides of the black border.
  var widthInSides: Double { Double(cells) / Double(cells - 2) }

  init(_ dictionary: MarkerDictionary, id: Int) {
    let n = dictionary.cells
    let code = dictionary.family.code(id: id)
    cells = n + 4
    for row in -2..<(n + 2) {
      for column in -2..<(n + 2) {
        let isInside = (0..<n).contains(row) && (0..<n).contains(column)
        let isPaper = row == -2 || column == -2 || row == n + 1 || column == n + 1
        let isWhite = isInside ? code >> UInt64(clamping: n * n - 1 - row * n - column) & 1 == 1 : isPaper
        tones.append(isWhite ? 225 : 25)
      }
    }
  }
}
