public import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files in a folder, which several machines may share.
///
/// A file is written beside, made safe (`fsync`), and then gets its name, so that nobody ever reads half of one.
public struct FolderAssetPlace: AssetPlace {
  private let folder: String

  /// The folder, for people.
  public var description: String { "the folder \(folder)" }

  /// A folder that is there.
  ///
  /// - Throws: ``AssetPlaceError/badAddress(_:reason:)`` where it is not: a share that is not mounted is no empty folder.
  public init(_ folder: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw AssetPlaceError.badAddress(folder, reason: "there is no such folder. Make or mount it first.")
    }
    self.folder = URL(fileURLWithPath: folder).standardizedFileURL.path
  }

  /// Keeps bytes.
  public func write(_ bytes: Data, name: String) async throws {
    let path = try path(name)
    try await TransferThread.run {
      let parent = (path as NSString).deletingLastPathComponent
      if mkdir(parent, 0o700) != 0, errno != EEXIST { throw failure("make \(parent)") }
      // The name is this process's own, so nobody else writes there.
      let part = path + ".part"
      let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw failure("write \(part)") }
      do {
        defer { close(descriptor) }
        try bytes.withUnsafeBytes { buffer in
          var done = 0
          while done < buffer.count {
            let count = writeBytes(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write \(part)") }
            done += count
          }
        }
        guard fsync(descriptor) == 0 else { throw failure("write \(part)") }
      } catch {
        unlink(part)
        throw error
      }
      guard rename(part, path) == 0 else {
        let error = failure("name \(path)")
        unlink(part)
        throw error
      }
      sync(parent)
    }
  }

  /// The bytes of a name.
  public func read(_ name: String, size: Int) async throws -> Data? {
    let path = try path(name)
    return try await TransferThread.run {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        if errno == ENOENT { return nil }
        throw failure("read \(path)")
      }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      do {
        let bytes = try file.read(upToCount: size) ?? Data()
        let rest = try file.read(upToCount: 1) ?? Data()
        // Of another length it is another file, which its hash says too.
        return rest.isEmpty ? bytes : bytes + rest
      } catch { throw AssetPlaceError.unreachable(description, reason: "it was not possible to read \(path).") }
    }
  }

  /// Removes bytes.
  public func remove(_ name: String) async throws {
    let path = try path(name)
    try await TransferThread.run {
      unlink(path + ".part")
      guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove \(path)") }
    }
  }

  /// A name comes from a database, which somebody may have written to.
  private func path(_ name: String) throws -> String {
    guard AssetName.isValid(name) else {
      throw AssetPlaceError.refused(description, reason: "a name in the database is none of a file's.")
    }
    return folder + "/" + name
  }

  private func failure(_ words: String) -> AssetPlaceError {
    let reason = "it was not possible to \(words): \(String(cString: strerror(errno)))."
    return [EACCES, EPERM, EROFS, ENOTDIR].contains(errno)
      ? .refused(description, reason: reason) : .unreachable(description, reason: reason)
  }

  /// The name is to be there after a power cut, too; a file system that cannot do that is left alone.
  private func sync(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// The system's `write`, whose name the type has too.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Glibc)
  Glibc.write(descriptor, bytes, count)
  #elseif canImport(Musl)
  Musl.write(descriptor, bytes, count)
  #else
  Darwin.write(descriptor, bytes, count)
  #endif
}
