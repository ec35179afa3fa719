import ArgumentParser
import Foundation
import SightlineCamera
import SightlineFormats
import SightlineInput
import SightlineMarkers
import SightlinePictures

/// `sightline camera calibrate`.
struct CameraCalibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Find a camera's focal lengths, principal point and distortion from pictures of a printed board.",
    discussion: """
      1. Print a board and glue it to something flat:
           sightline markers make --dictionary 5x5-100 --board 7x5 --square 0.035 --length 0.026 -o board.pdf
      2. Measure a square, and take ten to twenty pictures: from different sides, tilted up to 45 degrees, the board
         in every corner of the picture once. Neither zoom nor let the camera turn the pictures.
      3. sightline camera calibrate --dictionary 5x5-100 --board 7x5 --square 0.035 --length 0.026 *.jpg

      Of a video (read by ffmpeg) pictures with the board in new places are used. The answer gives each number with its \
      standard deviation, the error of each picture, which to take again and why, and what is missing in the set. Its \
      --intrinsics and --distortion can be given to `sightline markers detect`.

      Exit status: 0 the camera was found; 1 not, or a file could not be read.
      """
  )

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: ArgumentHelp("Dictionary of the board's markers.", valueName: "name"))
  var dictionary: DictionaryArgument

  @Option(help: ArgumentHelp("Squares across and down.", valueName: "columns>x<rows"))
  var board: BoardSize

  @Option(parsing: .unconditional, help: ArgumentHelp("Side of a square, metres.", valueName: "metres"))
  var square: Double

  @Option(parsing: .unconditional, help: ArgumentHelp("Outer edge of a marker, metres.", valueName: "metres"))
  var length: Double

  @Option(help: ArgumentHelp("Terms of distortion to estimate, or none.", valueName: "k1,k2,p1,p2,k3"))
  var distortionTerms: String = "k1,k2,p1,p2,k3"

  @Option(help: ArgumentHelp("Pictures to take from each second of a video.", valueName: "number"))
  var framesPerSecond: Double = 2

  @Option(help: "text: lines for people; json: one object.")
  var format: Format = .text

  @Argument(help: ArgumentHelp("Pictures or videos.", valueName: "file"))
  var files: [String]

  func validate() throws {
    guard length > 0, square > length, square < 100 else {
      throw ValidationError("--square has to be longer than --length, both positive metres.")
    }
    guard board.markers <= dictionary.dictionary.count else {
      throw ValidationError(board.tooFewMarkers(in: dictionary.dictionary))
    }
    guard framesPerSecond > 0, framesPerSecond <= 60 else {
      throw ValidationError("--frames-per-second has to be more than 0 and at most 60.")
    }
    _ = try terms()
  }

  private func terms() throws -> DistortionTerms {
    var result: DistortionTerms = []
    if distortionTerms == "none" { return result }
    let names: [String: DistortionTerms] = ["k1": .k1, "k2": .k2, "p1": .p1, "p2": .p2, "k3": .k3]
    for name in distortionTerms.split(separator: ",") {
      guard let term = names[name.trimmingCharacters(in: .whitespaces)] else {
        throw ValidationError("--distortion-terms: \(name) is none of k1, k2, p1, p2, k3.")
      }
      result.insert(term)
    }
    return result
  }

  func run() throws {
    let layout = CalibrationBoard(
      dictionary: dictionary.dictionary,
      columns: board.columns,
      rows: board.rows,
      square: square,
      side: length
    )
    var pictures = CalibrationPictures(board: layout)
    var hasFailed = false
    for file in files {
      do {
        try add(file, to: &pictures)
      } catch let error as PictureError {
        Console.note("\(file): \(error)")
        hasFailed = true
      } catch let error as Failure {
        // One file that is of no use is no reason to leave the others.
        Console.note("\(error)")
        hasFailed = true
      }
    }
    let kept = pictures.entries.indices.filter { pictures.entries[$0].isKept }
    guard let size = pictures.size else { throw Failure("There is no picture to calibrate from.") }
    let calibration: CameraCalibration
    do throws(CalibrationError) {
      calibration = try CameraCalibration(
        views: kept.map { pictures.view($0) },
        width: size.width,
        height: size.height,
        terms: (try? terms()) ?? .all
      )
    } catch {
      for index in kept {
        if let advice = pictures.advice(index, nil, typicalError: 0) {
          Console.note("\(pictures.entries[index].name): \(advice)")
        }
      }
      switch error {
      case .tooFewViews(let usable):
        throw Failure(
          "\(Console.count(usable, "picture")) of \(kept.count) show enough of the board; at least three are needed. Check "
            + "--dictionary, --board, --square and --length against the print."
        )
      case .undetermined:
        throw Failure("The pictures do not fix the camera. Take some with the board tilted, in different directions.")
      }
    }
    Console.say(format == .json ? json(calibration, pictures, kept) : text(calibration, pictures, kept))
    if hasFailed { throw ExitCode(1) }
  }

  private func add(_ file: String, to pictures: inout CalibrationPictures) throws {
    let picture: Picture
    do throws(PictureError) {
      picture = try Picture(contentsOfFile: file, as: .gray)
    } catch {
      let bytes = (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
      guard error.kind == .unknownFormat, bytes > 0 else { throw error }
      return try VideoFrames.forEach(of: file, perSecond: framesPerSecond, most: 600) { picture, number in
        let seconds = Double(number) / framesPerSecond
        try pictures.add(picture, name: "\(file)@\(fixed(seconds, 2))s", isOfVideo: true)
      }
    }
    try pictures.add(picture, name: file, isOfVideo: false)
  }

  private func numbers(_ c: CameraCalibration) -> (intrinsics: [Double], distortion: [Double]) {
    let (i, d) = (c.intrinsics, c.distortion)
    return ([i.focalX, i.focalY, i.centerX, i.centerY], [d.k1, d.k2, d.p1, d.p2, d.k3])
  }

  private func typicalError(_ calibration: CameraCalibration) -> Double {
    let errors = calibration.views.compactMap { $0?.cameraFromBoard.reprojectionError }.sorted()
    return errors.isEmpty ? 0 : errors[errors.count / 2]
  }

  private func text(_ c: CameraCalibration, _ pictures: CalibrationPictures, _ kept: [Int]) -> String {
    let (intrinsics, distortion) = numbers(c)
    let used = c.views.filter { $0 != nil }.count
    let count = used == kept.count ? Console.count(used, "picture") : "\(used) of \(kept.count) pictures"
    var lines = ["error \(fixed(c.reprojectionError, 3)) pixels over \(count)"]
    for (i, name) in ["fx", "fy", "cx", "cy"].enumerated() {
      lines.append("  \(name) \(fixed(intrinsics[i], 2)) +- \(fixed(c.deviations[i], 2)) pixels")
    }
    for (i, name) in ["k1", "k2", "p1", "p2", "k3"].enumerated() where c.deviations[4 + i] > 0 {
      lines.append("  \(name) \(fixed(distortion[i], 5)) +- \(fixed(c.deviations[4 + i], 5))")
    }
    lines.append("  --intrinsics \(intrinsics.map { fixed($0, 3) }.joined(separator: ","))")
    lines.append("  --distortion=\(distortion.map { fixed($0, 6) }.joined(separator: ","))")
    let typical = typicalError(c)
    lines.append("pictures")
    for (number, index) in kept.enumerated() {
      let entry = pictures.entries[index]
      let error = c.views[number].map { "\(fixed($0.cameraFromBoard.reprojectionError, 3)) pixels" } ?? "not used"
      lines.append("  \(entry.name): \(Console.count(entry.view.points.count, "corner")), \(error)")
      if let advice = pictures.advice(index, c.views[number], typicalError: typical) { lines.append("    \(advice)") }
    }
    for text in pictures.missing(c) { lines.append("note: \(text)") }
    return lines.joined(separator: "\n")
  }

  private func json(_ c: CameraCalibration, _ pictures: CalibrationPictures, _ kept: [Int]) -> String {
    func list(_ values: [Double], _ decimals: Int) -> String {
      "[\(values.map { fixed($0, decimals) }.joined(separator: ", "))]"
    }
    let (intrinsics, distortion) = numbers(c)
    let typical = typicalError(c)
    let views = kept.enumerated().map { number, index in
      let entry = pictures.entries[index]
      var members = ["\"file\": \(JSONTextWriter.quoted(entry.name))", "\"corners\": \(entry.view.points.count)"]
      if let view = c.views[number] {
        members.append("\"error\": \(fixed(view.cameraFromBoard.reprojectionError, 5))")
        members.append("\"dropped\": \(view.isUsed.filter { !$0 }.count)")
      }
      if let advice = pictures.advice(index, c.views[number], typicalError: typical) {
        members.append("\"retake\": \(JSONTextWriter.quoted(advice))")
      }
      return "{\(members.joined(separator: ", "))}"
    }
    return "{\"width\": \(Int(clamped: c.intrinsics.width)), \"height\": \(Int(clamped: c.intrinsics.height)), "
      + "\"intrinsics\": \(list(intrinsics, 5)), \"distortion\": \(list(distortion, 8)), "
      + "\"intrinsicsDeviation\": \(list((0..<4).map { c.deviations[$0] }, 5)), "
      + "\"distortionDeviation\": \(list((4..<9).map { c.deviations[$0] }, 8)), "
      + "\"error\": \(fixed(c.reprojectionError, 5)), \"pictures\": [\(views.joined(separator: ", "))], "
      + "\"missing\": [\(pictures.missing(c).map(JSONTextWriter.quoted).joined(separator: ", "))]}"
  }
}
