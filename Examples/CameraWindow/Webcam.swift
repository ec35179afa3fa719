import CVideo4Linux
import Glibc
import SightlinePictures

/// A camera of Linux (Video4Linux), with frames as YUYV or, where it has no such, as JPEG.
final class Webcam: FrameSource {
  let width: Int
  let height: Int
  let rate = 30.0
  let isLive = true
  private let device: Int32
  private let isJPEG: Bool
  private let stride: Int
  private var buffers: [UnsafeMutableRawBufferPointer] = []

  /// Opens a camera, asks it for a size, which it need not keep to, and starts it.
  init(_ path: String, width: Int = 640, height: Int = 480) throws {
    let device = open(path, O_RDWR | O_CLOEXEC)
    guard device >= 0 else { throw Problem("\(path): \(Self.reason); is a camera plugged in, and may you use it?") }
    var ability = v4l2_capability()
    guard Self.call(device, v4l2_query_capabilities, &ability) else {
      close(device)
      throw Problem("\(path): this is no camera; give another --camera.")
    }
    let abilities =
      ability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0 ? ability.device_caps : ability.capabilities
    guard abilities & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0, abilities & UInt32(V4L2_CAP_STREAMING) != 0 else {
      close(device)
      throw Problem("\(path): this device gives no pictures; cameras have two, try the next one.")
    }
    var format = v4l2_format()
    for kind in [v4l2_yuyv, v4l2_mjpeg] {
      format = v4l2_format()
      format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
      format.fmt.pix.width = UInt32(width)
      format.fmt.pix.height = UInt32(height)
      format.fmt.pix.pixelformat = kind
      if Self.call(device, v4l2_set_format, &format), format.fmt.pix.pixelformat == kind { break }
    }
    let given = format.fmt.pix
    guard given.pixelformat == v4l2_yuyv || given.pixelformat == v4l2_mjpeg, (16...8192).contains(given.width),
      (16...8192).contains(given.height), given.pixelformat == v4l2_mjpeg || given.bytesperline >= 2 * given.width
    else {
      close(device)
      throw Problem("\(path): gives pictures neither as YUYV nor as JPEG; record a video and give it with --video.")
    }
    self.device = device
    (self.width, self.height, stride) = (Int(given.width), Int(given.height), Int(given.bytesperline))
    isJPEG = given.pixelformat == v4l2_mjpeg
    try start()
  }

  deinit {
    var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    _ = Self.call(device, v4l2_stream_off, &type)
    for buffer in buffers { munmap(buffer.baseAddress, buffer.count) }
    close(device)
  }

  private func start() throws {
    var request = v4l2_requestbuffers()
    request.count = 4
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    guard Self.call(device, v4l2_request_buffers, &request), request.count >= 2 else {
      throw Problem("the camera has no memory for pictures (\(Self.reason)); does another program use it?")
    }
    for index in 0..<request.count {
      var buffer = Self.buffer(index)
      guard Self.call(device, v4l2_query_buffer, &buffer) else { throw Problem("the camera: \(Self.reason)") }
      let length = Int(buffer.length)
      let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, device, off_t(buffer.m.offset))
      guard let memory, memory != MAP_FAILED else { throw Problem("the camera: \(Self.reason)") }
      buffers.append(UnsafeMutableRawBufferPointer(start: memory, count: length))
      guard Self.call(device, v4l2_queue_buffer, &buffer) else { throw Problem("the camera: \(Self.reason)") }
    }
    var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    guard Self.call(device, v4l2_stream_on, &type) else { throw Problem("the camera does not start: \(Self.reason)") }
  }

  func next() throws -> Frame? {
    while true {
      var waiting = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, 5000)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { throw Problem("the camera gives no pictures any more; is it still plugged in?") }
      var buffer = Self.buffer(0)
      guard Self.call(device, v4l2_dequeue_buffer, &buffer) else {
        // Pulled out: the end, as that of a video.
        if errno == ENODEV { return nil }
        throw Problem("the camera: \(Self.reason)")
      }
      let time = Double(buffer.timestamp.tv_sec) + Double(buffer.timestamp.tv_usec) / 1e6
      let memory = buffers[Int(buffer.index)]
      let frame = frame([UInt8](memory.prefix(Int(buffer.bytesused))), time)
      guard Self.call(device, v4l2_queue_buffer, &buffer) else { throw Problem("the camera: \(Self.reason)") }
      // One that was damaged on the cable is left out.
      if let frame { return frame }
    }
  }

  private func frame(_ bytes: [UInt8], _ time: Double) -> Frame? {
    if isJPEG {
      guard let picture = try? Picture(decoding: bytes, as: .rgb), picture.width == width, picture.height == height
      else { return nil }
      var pixels = [UInt8](repeating: 255, count: 4 * width * height)
      for k in 0..<width * height {
        for channel in 0..<3 { pixels[4 * k + channel] = picture.pixels[3 * k + 2 - channel] }
      }
      return Frame(width: width, height: height, time: time, luma: picture.converted(to: .gray).pixels, pixels: pixels)
    }
    guard bytes.count >= stride * (height - 1) + 2 * width else { return nil }
    let luma = [UInt8](unsafeUninitializedCapacity: width * height) { out, count in
      for y in 0..<height { for x in 0..<width { out[y * width + x] = bytes[y * stride + 2 * x] } }
      count = width * height
    }
    return Frame.converted(width: width, height: height, time: time, luma: luma) { x, y in
      let k = y * stride + x / 2 * 4
      return (bytes[k + 1], bytes[k + 3])
    }
  }

  private static func buffer(_ index: UInt32) -> v4l2_buffer {
    var buffer = v4l2_buffer()
    buffer.index = index
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    return buffer
  }

  private static var reason: String { String(cString: strerror(errno)) }

  /// A request to the driver, again when a signal came in between.
  private static func call<Value>(_ device: Int32, _ request: UInt, _ value: inout Value) -> Bool {
    withUnsafeMutablePointer(to: &value) { pointer in
      var result: Int32
      repeat { result = ioctl(device, request, UnsafeMutableRawPointer(pointer)) } while result < 0 && errno == EINTR
      return result == 0
    }
  }
}
