import ArgumentParser
import Foundation
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
      """
  )

  @Argument(help: ArgumentHelp("The script.", valueName: "script")) var script: String
  @Option(name: .shortAndLong, help: ArgumentHelp("Recording to write; - is standard output.", valueName: "recording"))
  var output: String
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
  }

  func run() throws {
    guard let data = FileManager.default.contents(atPath: script) else {
      throw Failure("\(script) cannot be read. Check the path.")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw Failure("\(script) is not text in UTF-8. A script is a text file, see Documentation/simulator.md.")
    }
    let simulation: Simulation
    do {
      simulation = try Simulation(SimulationScript(text))
    } catch let problem as ScriptProblem {
      throw Failure("\(script):\(problem)")
    }
    let textures = try simulation.script.scenery.pictures.map(texture)
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
      quality: quality,
      name: URL(fileURLWithPath: script).lastPathComponent,
      to: sink
    )
    let truths = try truth.map { try TruthWriter($0, aspects: textures.map { Double($0.height) / Double($0.width) }) }
    let progress = Progress(total: UInt64(simulation.script.duration * 1000))
    try simulation.run { event, time throws in
      try recorder.take(event, at: time)
      if case .tick(let truth) = event { try truths?.take(truth, simulation) }
      progress.show(UInt64(time * 1000))
    }
    try recorder.finish()
    try truths?.close()
    progress.clear()
    Console.note("\(simulation.script.duration) s, \(Console.count(recorder.pictureCount, "picture")) in \(output)")
  }

  private func texture(_ picture: Scenery.Picture) throws -> Texture {
    // As seen from the script, so that a folder with both can be moved.
    let path = URL(fileURLWithPath: picture.path, relativeTo: URL(fileURLWithPath: script)).path
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
