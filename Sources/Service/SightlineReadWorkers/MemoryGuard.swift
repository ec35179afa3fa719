import Foundation
import SightlineInput
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends a worker whose document takes more memory than it may, by a look every hundredth of a second.
///
/// The system's own limit lies above it, for one large request. By itself it is not enough: the runtime then writes a
/// report of the failed request, and writing it takes memory, of which there is none; seen were seconds, and workers
/// that never ended.
final class MemoryGuard: Sendable {
  /// `/proc/self/statm`, opened while files can be; -1 where there is none.
  private let file: Int32
  /// Most bytes of address space; 0 while no document is read.
  private let limit = Atomic<UInt64>(0)
  private let wake = DispatchSemaphore(value: 0)
  private let page = UInt64(clamping: sysconf(Int32(clamping: _SC_PAGESIZE)))

  init() { file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC) }

  /// Starts the thread that looks.
  func start() {
    guard file >= 0 else { return }
    let thread = Thread { [self] in
      while true {
        wake.wait()
        while case let limit = limit.load(ordering: .acquiring), limit > 0 {
          if bytes > limit { _exit(ReadWorker.memoryStatus) }
          usleep(10_000)
        }
      }
    }
    thread.stackSize = 256 * 1024
    thread.start()
  }

  /// A document is read from now on.
  func begin(limit bytes: UInt64) {
    guard file >= 0 else { return }
    limit.store(bytes, ordering: .releasing)
    wake.signal()
  }

  /// It is read.
  func end() {
    guard file >= 0 else { return }
    // What was taken since the last look counts, too.
    if bytes > limit.load(ordering: .acquiring) { _exit(ReadWorker.memoryStatus) }
    limit.store(0, ordering: .releasing)
  }

  /// Bytes of address space in use; 0 where the system does not tell, which makes the system's limit an absolute one.
  var bytes: UInt64 { pages.all &* page }

  /// Bytes that lie in memory; 0 where the system does not tell.
  ///
  /// The greatest use that the system keeps (`ru_maxrss`) is no measure: a process begins with that of the one it comes from.
  var residentBytes: UInt64 { pages.resident &* page }

  /// The first two numbers of the file.
  private var pages: (all: UInt64, resident: UInt64) {
    guard file >= 0 else { return (0, 0) }
    return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      let count = pread(file, buffer.baseAddress, buffer.count, 0)
      var numbers: (UInt64, UInt64) = (0, 0)
      var isFirst = true
      for index in 0..<max(0, count) {
        if let digit = Digit.decimal(buffer[index]) {
          if isFirst {
            numbers.0 = numbers.0 &* 10 &+ UInt64(clamping: digit)
          } else {
            numbers.1 = numbers.1 &* 10 &+ UInt64(clamping: digit)
          }
        } else if isFirst {
          isFirst = false
        } else {
          break
        }
      }
      return numbers
    }
  }
}
