import Foundation
import SightlineCamera
import SightlineImaging
import SightlineInput
import SightlineMarkers
import SightlineMath
import SightlinePictures

/// The pictures of a calibration and what was found in them.
struct CalibrationPictures {
  /// One picture.
  struct Entry {
    var name: String
    var view: CalibrationView
    var markers: Int
    /// Whether it counts, or is too much like one before (pictures of a video).
    var isKept = true
    /// The picture before it that shows the board in the same place: it then counts no more than that one alone.
    var twin: String?
  }

  let board: CalibrationBoard
  private(set) var entries: [Entry] = []
  /// Of all pictures.
  private(set) var size: (width: Int, height: Int)?
  private var detector: MarkerDetector

  init(board: CalibrationBoard) {
    self.board = board
    detector = MarkerDetector(dictionaries: [board.dictionary])
  }

  /// Looks for the board in a picture.
  ///
  /// - Parameters:
  ///   - picture: grey.
  ///   - name: for messages.
  ///   - isOfVideo: of the many pictures of a video only those count that show the board at another place.
  /// - Throws: ``Failure`` for a picture of another size.
  mutating func add(_ picture: Picture, name: String, isOfVideo: Bool) throws {
    if let size, size != (picture.width, picture.height) {
      throw Failure(
        "\(name) has \(picture.width) x \(picture.height) pixels, the pictures before \(size.width) x \(size.height). A "
          + "calibration is of one camera at one resolution: leave the others out, and do not turn or crop pictures."
      )
    }
    size = (picture.width, picture.height)
    var markers: [DetectedMarker] = []
    var view = CalibrationView(points: [], pixels: [])
    picture.pixels.withUnsafeBufferPointer { pixels in
      guard let image = try? GrayView(pixels, width: picture.width, height: picture.height, stride: picture.width)
      else {
        return
      }
      detector.detect(in: image, into: &markers)
      view = board.view(of: image, markers: markers)
    }
    var entry = Entry(name: name, view: view, markers: markers.count)
    if view.points.count >= CameraCalibration.leastPoints {
      // A video has enough pictures to be choosy; one taken by hand is left out only when it is the same once more.
      let like = entryLike(view, within: Double(picture.width) / (isOfVideo ? 30 : 300))
      entry.twin = like
      if isOfVideo { entry.isKept = like == nil }
    } else if isOfVideo {
      entry.isKept = false
    }
    entries.append(entry)
  }

  /// What is calibrated from: nothing of a picture that another one has too.
  func view(_ index: Int) -> CalibrationView {
    entries[index].twin == nil ? entries[index].view : CalibrationView(points: [], pixels: [])
  }

  /// The name of a kept picture with the board in nearly the same place: points by less than a distance away.
  private func entryLike(_ view: CalibrationView, within distance: Double) -> String? {
    for entry in entries where entry.isKept && entry.twin == nil {
      var (sum, count) = (0.0, 0)
      for (point, pixel) in zip(view.points, view.pixels) {
        guard let index = entry.view.points.firstIndex(of: point) else { continue }
        sum += (entry.view.pixels[index] - pixel).length
        count += 1
      }
      if count * 2 > view.points.count, sum / Double(max(1, count)) < distance { return entry.name }
    }
    return nil
  }

  /// What to do about a picture, `nil` when it is fine.
  func advice(_ index: Int, _ calibrated: CalibratedView?, typicalError: Double) -> String? {
    let entry = entries[index]
    let found = entry.view.points.count
    if entry.markers == 0 {
      return "no marker of the board was found: is it in the picture, sharp, and of this dictionary?"
    }
    if let twin = entry.twin {
      return "the board is where it is in \(twin): it adds nothing. Move camera or board and take it again"
    }
    if entry.markers >= 6, found * 3 < entry.markers {
      return
        "\(entry.markers) markers, but only \(Console.count(found, "corner")) of the chessboard where --board, --square and "
        + "--length put them: check these against the print"
    }
    if found < CameraCalibration.leastPoints {
      return "only \(Console.count(found, "corner")) found: show more of the board, larger and sharper"
    }
    guard let calibrated else { return nil }
    let error = calibrated.cameraFromBoard.reprojectionError
    let dropped = calibrated.isUsed.filter { !$0 }.count
    if error > max(0.3, 2.5 * typicalError) {
      return
        "its error is \(fixed(error / max(typicalError, 1e-9), 1)) times that of the others: was it blurred, or the board bent? "
        + "Take it again with camera and board at rest, the board flat"
    }
    // Where all else fits to a hundredth of a pixel, much that is left out is still fine.
    if dropped > found / 10, calibrated.largestError > 0.3 {
      return "\(dropped) of \(found) corners do not fit: is something reflected or covered? Take it again"
    }
    if found * 3 < board.cornerCount {
      return
        "only \(found) of \(board.cornerCount) corners found: it counts little; come closer or show all of the board"
    }
    return nil
  }

  /// What is missing in the set as a whole.
  func missing(_ calibration: CameraCalibration) -> [String] {
    guard let size else { return [] }
    var result: [String] = []
    var used = [Bool](repeating: false, count: 9)
    var tilts: [Double] = []
    var turns = 0
    let views = entries.indices.filter { entries[$0].isKept }
    for (number, index) in views.enumerated() {
      guard let calibrated = calibration.views[number] else { continue }
      for pixel in entries[index].view.pixels {
        let column = max(0, min(2, Int(clamped: pixel.x * 3 / Double(size.width))))
        let row = max(0, min(2, Int(clamped: pixel.y * 3 / Double(size.height))))
        used[row * 3 + column] = true
      }
      let normal = calibrated.cameraFromBoard.cameraFromPlane * Vector3(0, 0, 1)
      tilts.append(Angle(radians: Foundation.acos(max(-1, min(1, -normal.z)))).degrees)
      let across = calibrated.cameraFromBoard.cameraFromPlane * Vector3(1, 0, 0)
      if abs(across.x) < abs(across.y) { turns += 1 }
    }
    let places = [
      "upper left", "upper middle", "upper right", "middle left", "centre", "middle right", "lower left",
      "lower middle",
      "lower right",
    ]
    let empty = places.indices.filter { !used[$0] }.map { places[$0] }
    if !empty.isEmpty {
      result.append(
        "no corner of the board was in the picture's \(empty.joined(separator: ", ")): distortion there is a guess"
      )
    }
    if tilts.filter({ $0 > 20 }).count < 3 {
      result.append(
        "fewer than three pictures show the board tilted by more than 20 degrees: the focal length is uncertain"
      )
    }
    if tilts.count < 8 { result.append("\(Console.count(tilts.count, "picture")) are few: ten to twenty are good") }
    return result
  }
}
