import Foundation

/// Memory that columns lie in: allocated here, or a file where it is.
final class ColumnMemory: @unchecked Sendable {
  // Written only while it is filled, before any column of it is handed out.
  let base: UnsafeRawPointer
  let count: Int
  private let release: @Sendable () -> Void

  /// A copy of bytes.
  init(copying bytes: UnsafeRawBufferPointer) {
    count = bytes.count
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 8), alignment: 16)
    if let start = bytes.baseAddress, !bytes.isEmpty { memory.copyMemory(from: start, byteCount: bytes.count) }
    base = UnsafeRawPointer(memory)
    let address = UInt(bitPattern: memory)
    release = { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
  }

  /// A file or a part of one, mapped: pages are read when they are needed, and shared with other processes.
  ///
  /// `nil` when it cannot be, or has no such part. A part begins at a multiple of eight bytes.
  init?(mapping path: String, part: Range<Int>? = nil) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    // The mapping stays when the file is closed.
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size > 0, let size = Int(exactly: status.st_size),
      let memory = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0), memory != MAP_FAILED
    else { return nil }
    let part = part ?? 0..<size
    guard part.lowerBound % 8 == 0, part.upperBound <= size else {
      munmap(memory, size)
      return nil
    }
    count = part.count
    base = UnsafeRawPointer(memory + part.lowerBound)
    let address = UInt(bitPattern: memory)
    release = { munmap(UnsafeMutableRawPointer(bitPattern: address), size) }
  }

  deinit { release() }
}

/// A column of numbers that never change, in memory that it keeps alive.
///
/// An index is checked at every access, so that a mistake stops the process instead of reading what lies beside. Loops that
/// cost use ``pointer`` and keep to what ``WalkingGraph`` checked when it was made.
struct Column<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let memory: ColumnMemory
  let pointer: UnsafePointer<Element>
  let count: Int

  init(_ elements: [Element]) {
    memory = elements.withUnsafeBytes { ColumnMemory(copying: $0) }
    pointer = memory.base.assumingMemoryBound(to: Element.self)
    count = elements.count
  }

  /// A column of `count` elements from an offset, which is a multiple of eight.
  /// - Precondition: it lies within the memory.
  init(_ memory: ColumnMemory, offset: Int, count: Int) {
    precondition(offset >= 0 && count >= 0 && offset & 7 == 0)
    precondition(count <= (memory.count - offset) / MemoryLayout<Element>.stride)
    self.memory = memory
    pointer = (memory.base + offset).assumingMemoryBound(to: Element.self)
    self.count = count
  }

  subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      return pointer[index]
    }
  }

  /// Its bytes.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(memory) {
      body(UnsafeRawBufferPointer(start: pointer, count: count * MemoryLayout<Element>.stride))
    }
  }
}
