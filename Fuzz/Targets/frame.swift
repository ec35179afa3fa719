import SightlineCamera
import SightlineEngine
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlineVision

/// Raw camera frames: the first bytes are format, size, stride, range and what is looked for; the others are the pixels.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count >= 10 else { return 0 }
  let head = UnsafeBufferPointer(start: data, count: 10)
  // A copy of its own, so that a byte read past its end is noticed.
  let bytes = Array(UnsafeBufferPointer(start: data + 10, count: count - 10))
  let format = PixelFormat.allCases[Int(head[0]) % PixelFormat.allCases.count]
  // Mostly sizes that fit, sometimes any.
  let width = head[1] == 255 ? Int(Int8(bitPattern: head[2])) * 1000 : Int(head[1])
  let height = head[3] == 255 ? Int(Int8(bitPattern: head[4])) * 1000 : Int(head[3])
  let stride = head[5] == 255 ? Int.max - Int(head[6]) : width * format.bytesInPixel + Int(Int8(bitPattern: head[5]))
  let dictionaries = MarkerDictionary.allCases
  var parameters = MarkerDetector.Parameters()
  parameters.minimumSide = 6 + Double(head[7] & 15)
  parameters.minimumContrast = Int(head[7] >> 4) + 1
  parameters.findsInverted = head[8] & 1 != 0
  parameters.findsMirrored = head[8] & 2 != 0
  var image = GrayImage(width: 1, height: 1)
  let isRead = bytes.withUnsafeBufferPointer { bytes in
    do throws(ImageError) {
      try image.setLuminance(
        of: bytes,
        format: format,
        width: width,
        height: height,
        stride: stride,
        range: head[8] & 4 != 0 ? .limited : .full
      )
      return true
    } catch {
      return false
    }
  }
  guard isRead else {
    precondition(image.width == 1 && image.height == 1, "a refused picture has changed the old one")
    return 0
  }
  precondition(image.width == width && image.height == height)
  let camera = Intrinsics(
    width: Double(width),
    height: Double(height),
    focalX: Double(width),
    focalY: Double(width),
    centerX: Double(width - 1) / 2,
    centerY: Double(height - 1) / 2
  )
  let lens = LensDistortion(k1: Double(Int8(bitPattern: head[9])) / 100, k2: 0.01, p1: 0, p2: 0, k3: 0)
  let wanted = [dictionaries[Int(head[8] >> 3) % dictionaries.count], .grid6x6Of250]
  var detector = MarkerDetector(dictionaries: wanted, parameters: parameters)
  detector.lens = head[9] & 1 != 0 ? MarkerLens(intrinsics: camera, distortion: lens) : nil
  var found: [DetectedMarker] = []
  image.withView { detector.detect(in: $0, into: &found) }
  for marker in found {
    precondition(marker.id >= 0 && marker.id < marker.dictionary.count && wanted.contains(marker.dictionary))
    precondition(marker.confidence >= 0 && marker.confidence <= 1)
    for i in 0..<4 { precondition(marker.corners[i].x.isFinite && marker.corners[i].y.isFinite) }
  }
  // The same in a row, by the pipeline that a session has, whose observations go to one.
  let pipeline = VisionPipeline()
  pipeline.watchMarkers(wanted, usualSide: 0.05)
  pipeline.looksForCodes = head[9] & 2 != 0
  pipeline.setWalls([Wall(id: 1, members: [Wall.Member(.marker(dictionary: wanted[0].rawValue, id: 0))])])
  var session = Session()
  session.handle(.display(Display(width: 390, height: 844)), at: 0)
  var observations: [Observation] = []
  for frame in 0..<3 {
    let time = Double(frame) / 30
    image.withView {
      pipeline.process(
        $0,
        time: time,
        camera: FrameCamera(intrinsics: camera, distortion: lens),
        previousFromCamera: head[9] & 4 != 0 ? Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: 1)) : nil,
        into: &observations
      )
    }
    for seen in observations {
      precondition(seen.isFinite && seen.confidence >= 0 && seen.confidence <= 1 && seen.unseen >= 0)
      precondition(seen.state != .lost || seen.pose == nil)
    }
    session.handle(
      .observations(
        Observations(time: time, camera: FrameCamera(intrinsics: camera, distortion: lens), observations)
      ),
      at: time
    )
    session.makeFrame(at: time)
  }
  return 0
}
