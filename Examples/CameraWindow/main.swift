// Shows what a camera or a video sees with the printed markers and pictures in it, how they lie and how far away:
//
//   swift run CameraWindow --marker 7=0.16                                              the first camera, in a window
//   swift run CameraWindow --video table.mp4 --picture poster.png=0.5 --output out.mp4  a video, into a video

import Glibc
import Sightline

do {
  let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
  var source: any FrameSource =
    if let video = arguments.video { try VideoFile(video) } else { try Webcam(arguments.camera) }
  var viewer = Viewer(
    arguments.prints,
    width: source.width,
    height: source.height,
    fieldOfView: Angle(degrees: arguments.view),
    labelSize: Painter.size
  )
  let output = try arguments.output.map {
    try VideoOutput($0, width: source.width, height: source.height, rate: source.rate)
  }
  let window = output == nil ? try Window(title: "Sightline", width: source.width, height: source.height) : nil

  var known: Set<String> = []
  var first: (shown: Double, taken: Double)?
  while window?.isClosed != true, var frame = try source.next() {
    let sightings = try viewer.look(at: frame)
    for sighting in sightings where !known.contains(sighting.print.name) { print("found \(sighting.text)") }
    let seen = Set(sightings.map(\.print.name))
    for name in known.subtracting(seen).sorted() { print("lost \(name)") }
    known = seen
    Painter.draw(sightings, on: &frame)
    try output?.write(frame)
    guard let window else { continue }
    if !source.isLive {
      // At the pace at which it was taken.
      let start = first ?? (now(), frame.time)
      first = start
      let early = start.shown + frame.time - start.taken - now()
      if early > 0 { usleep(UInt32(early * 1e6)) }
    }
    window.show(frame)
  }
  try output?.finish()
  if let window, !window.isClosed {
    print("the video is over: close the window, or press Q")
    fflush(nil)
    window.waitUntilClosed()
  }
} catch {
  let words = Array("\(error)\n".utf8)
  write(STDERR_FILENO, words, words.count)
  exit(1)
}

/// Seconds on a clock that does not run backwards.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
