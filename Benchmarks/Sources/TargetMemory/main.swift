// What recognising targets takes of memory, at its largest, in a process that does nothing else.
//
//   TargetMemory DATABASE FRAME.pgm…
//
// Loads all target files of a folder, makes a recogniser of them, recognises one picture after another and prints the largest
// memory of the process (the kernel's VmHWM, Linux) and what it has at that moment, after each of these steps, in megabytes of 1,048,576 bytes.
// Files are read as a host of the engine would read them, without Foundation; nothing tells the allocator to be thrifty.
// `Benchmarks/targets/memory.py` draws what it needs and runs it.

import Glibc
import SightlineImageTargets
import SightlineImaging

/// The bytes of a file; ends the program when it cannot be read.
func bytes(of path: String) -> [UInt8] {
  let file = open(path, O_RDONLY)
  guard file >= 0, case let size = Int(lseek(file, 0, SEEK_END)), size >= 0 else { fail("\(path): cannot be read") }
  defer { close(file) }
  return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    count = max(0, pread(file, buffer.baseAddress, size, 0))
  }
}

func fail(_ message: String) -> Never {
  let line = message + "\n"
  _ = write(2, line, line.utf8.count)
  exit(2)
}

/// The names of the target files in a folder, in order.
func targetFiles(in folder: String) -> [String] {
  guard let directory = opendir(folder) else { fail("\(folder): there is no such folder") }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name.hasSuffix(".target") { names.append(name) }
  }
  return names.sorted()
}

/// Fills a picture from a binary PGM of at most 255 levels.
func read(_ path: String, into picture: inout GrayImage) {
  let file = open(path, O_RDONLY)
  guard file >= 0 else { fail("\(path): cannot be read") }
  defer { close(file) }
  var head = [UInt8](repeating: 0, count: 512)
  head.removeLast(512 - max(0, pread(file, &head, 512, 0)))
  var at = 2
  func number() -> Int {
    while at < head.count, head[at] == 35 || head[at] <= 32 {
      if head[at] == 35 { while at < head.count, head[at] != 10 { at += 1 } }
      at += 1
    }
    var value = 0
    while at < head.count, head[at] >= 48, head[at] <= 57 {
      value = value * 10 + Int(head[at]) - 48
      at += 1
    }
    return value
  }
  guard head.starts(with: [0x50, 0x35]) else { fail("\(path): is no binary PGM") }
  let (width, height, most) = (number(), number(), number())
  guard width > 0, height > 0, width <= 8192, height <= 8192, most <= 255 else { fail("\(path): is no picture") }
  picture.resize(width: width, height: height)
  let count = picture.withMutablePixels { pread(file, $0, width * height, at + 1) }
  guard count == width * height else { fail("\(path): is no whole picture") }
}

/// A figure of the kernel about this process, megabytes.
func memory(_ name: String) -> Double {
  let status = fopen("/proc/self/status", "r")
  defer { if let status { fclose(status) } }
  var line = [CChar](repeating: 0, count: 256)
  while let status, fgets(&line, 256, status) != nil {
    guard strncmp(line, name, name.utf8.count) == 0 else { continue }
    return Double(strtol(Array(line.dropFirst(name.utf8.count + 1)), nil, 10)) / 1024
  }
  return .nan
}

func report(_ step: String) {
  func fixed(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
  print("\(step): largest \(fixed(memory("VmHWM"))) MB, now \(fixed(memory("VmRSS"))) MB")
}

/// Recognises the pictures one after another; answers how many showed something.
func recognizeAll(_ recognizer: TargetRecognizer, _ frames: ArraySlice<String>) -> Int {
  var picture = GrayImage(width: 1, height: 1)
  var sightings: [TargetSighting] = []
  var named = 0
  for (index, path) in frames.enumerated() {
    read(path, into: &picture)
    picture.withView { recognizer.recognize($0, into: &sightings) }
    named += sightings.isEmpty ? 0 : 1
    if index == 0 { report("first frame") }
  }
  return named
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { fail("TargetMemory DATABASE FRAME.pgm…") }
report("process")
let recognizer: TargetRecognizer = {
  let names = targetFiles(in: arguments[1])
  var targets: [Target] = []
  targets.reserveCapacity(names.count)
  for name in names {
    let file = bytes(of: arguments[1] + "/" + name)
    guard let target = try? TargetFile.decode(file) else { fail("\(name): is no target") }
    targets.append(target)
  }
  report("\(targets.count) targets loaded")
  return TargetRecognizer(targets: targets)
}()
report("recogniser")
let named = recognizeAll(recognizer, arguments[2...])
report("\(arguments.count - 2) frames, in \(named) of them something")
