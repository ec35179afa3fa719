public import struct Foundation.Data
import class Foundation.FileHandle
import struct Foundation.URL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files beside a document, and how they are read: only real ones, with a limit, and never from outside a folder.
public enum LocalFile {
  /// A file could not be read at all.
  public struct Unreadable: Error, CustomStringConvertible {
    /// A sentence with path and reason.
    public let description: String
  }

  /// The path of an address without scheme, host and leading slash; `nil` for every other address, and for one that
  /// leads upwards.
  public static func relativePath(_ url: String) -> String? {
    guard !url.isEmpty, !url.hasPrefix("/"), !url.hasPrefix("#"), !url.hasPrefix("?") else { return nil }
    let head = url.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !head.contains(":") else { return nil }
    let path = PercentCoding.decode(url.prefix { $0 != "?" && $0 != "#" }.utf8, plusIsBlank: false)
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && !$0.utf8.contains(0) }) else { return nil }
    return path
  }

  /// A file's bytes.
  ///
  /// - Parameters:
  ///   - path: where it lies.
  ///   - name: what messages call it.
  ///   - largest: bytes.
  ///   - folder: if given, only a file that really lies under that folder is read, links resolved.
  /// - Returns: the bytes.
  /// - Throws: why it was not read.
  public static func read(
    _ path: String,
    named name: String,
    largest: Int,
    below folder: String? = nil
  ) throws(Unreadable) -> Data {
    if let folder {
      let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
      guard file.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
        throw Unreadable(description: "\(name) leads out of the document's folder and is not stored.")
      }
    }
    // Not blocking: a pipe in the place of a file would otherwise be waited for without end.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw Unreadable(description: "\(name) cannot be opened: \(String(cString: strerror(errno))).")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Unreadable(description: "\(name) is not a file.")
    }
    guard status.st_size <= largest else {
      throw Unreadable(description: "\(name) is larger than the \(largest / 1_048_576) MiB that are read; split it.")
    }
    do {
      return try handle.readToEnd() ?? Data()
    } catch {
      throw Unreadable(description: "\(name) cannot be read.")
    }
  }
}
