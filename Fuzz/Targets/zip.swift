import Foundation
import SightlineArchive

/// Zip archives: nothing is given out that the directory does not vouch for.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let archive = try? ZipArchive(data: Data(bytes: data, count: count)) else { return 0 }
  for entry in archive.entries {
    guard let source = try? archive.open(entry) else { continue }
    if let content = try? source.readAll(limit: 1 << 22, name: entry.name) { precondition(content.count == entry.size) }
  }
  return 0
}
