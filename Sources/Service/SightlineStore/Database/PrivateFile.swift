import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files of a database that nobody but their owner may read.
enum PrivateFile {
  /// Makes the file, if there is none, for its owner alone, and takes the rights of others from one that is there.
  ///
  /// SQLite gives its journal and shared memory (`-wal`, `-shm`, `-journal`) the rights of the file itself; those that
  /// are there already are treated like it. What belongs to somebody else is left as it is: then its rights are not
  /// ours to decide. A file system without rights is no reason not to work.
  ///
  /// - Throws: When the file can neither be found nor made.
  static func prepare(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return
    }
    // A link that leads to no file yet: SQLite makes it there, so it is made there here.
    if errno == EEXIST, access(path, F_OK) != 0 {
      let target = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      if target >= 0 { close(target) }
      return
    }
    // The journal lies beside the file that a link leads to.
    let file = realpath(path, nil).map { resolved in
      defer { free(resolved) }
      return String(cString: resolved)
    }
    for name in ["", "-wal", "-shm", "-journal"] { tighten((file ?? path) + name) }
  }

  /// By its name, not through a descriptor: closing one would take from this process the locks that SQLite holds on a
  /// file that it has open.
  private static func tighten(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o077 != 0
    else { return }
    _ = chmod(path, status.st_mode & 0o700)
  }
}
