import Crypto
import Foundation
import NIOCore
import SightlineStore
import Synchronization

/// The files of the web client, held in memory with their compressed forms.
///
/// They are served under `/client/<build>/`, where `<build>` is a hash over all of them: such an address never changes
/// its content, so browsers may keep it for ever. Only the page itself is asked for again. In the page, the addresses
/// `/client/dev/…` are replaced by the present build's.
final class WebClientFiles: Sendable {
  /// One file.
  struct File: Sendable {
    let mediaType: String
    let plain: ByteBuffer
    let gzip: ByteBuffer?
    /// Hash of the content, for `ETag`.
    let hash: String
  }

  /// All files as they were at one time.
  struct Build: Sendable {
    /// 16 hexadecimal digits.
    let hash: String
    let page: File?
    /// By path without leading slash.
    let files: [String: File]
    /// Names of the languages that have a file of texts.
    let languages: [String]
    /// For addresses that lead to nothing; `nil` when the client has no words for it.
    let missing: MissingPage?
  }

  /// The folder could not be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// Larger files are left out with a message, bytes.
  static let largestFile = 32 * 1024 * 1024

  private struct State {
    var build: Build
    /// The build before this one: pages that are open go on working.
    var previous: Build?
    var signature: [String]
    var checked: ContinuousClock.Instant
  }

  private let folder: String
  private let extraFiles: [String: String]
  private let state: Mutex<State>

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - folder: Folder with `index.html`.
  ///   - extraFiles: Files from elsewhere, by the path under which they are served: `["engine.wasm": …]`.
  /// - Throws: ``Unreadable``.
  init(folder: String, extraFiles: [String: String]) throws {
    self.folder = folder
    self.extraFiles = extraFiles
    let listing = try WebClientFiles.list(folder: folder, extraFiles: extraFiles)
    let build = try WebClientFiles.read(listing)
    state = Mutex(State(build: build, previous: nil, signature: listing.map(\.signature), checked: .now))
  }

  /// The present build.
  ///
  /// Looks at the folder again, at most once a second, so that a changed file shows at the next reload of the page; a
  /// folder that cannot be read just now leaves the build as it is.
  func current() -> Build {
    state.withLock { state in
      guard ContinuousClock.now - state.checked > .seconds(1) else { return state.build }
      state.checked = .now
      guard let listing = try? WebClientFiles.list(folder: folder, extraFiles: extraFiles),
        listing.map(\.signature) != state.signature, let build = try? WebClientFiles.read(listing)
      else { return state.build }
      state.signature = listing.map(\.signature)
      if build.hash != state.build.hash {
        state.previous = state.build
        state.build = build
      }
      return state.build
    }
  }

  /// A file of the present build or the one before it.
  func file(build hash: String, path: String) -> File? {
    state.withLock { state in
      if state.build.hash == hash { return state.build.files[path] }
      if state.previous?.hash == hash { return state.previous?.files[path] }
      return nil
    }
  }

  private struct Entry {
    let path: String
    let diskPath: String
    let mediaType: String
    let signature: String
  }

  private static func list(folder: String, extraFiles: [String: String]) throws -> [Entry] {
    var entries: [Entry] = []
    try list(folder, under: "", depth: 0, into: &entries)
    for (path, diskPath) in extraFiles {
      guard let mediaType = MediaTypes.ofFile(named: path) else { continue }
      // A file named by the operator may be a link; one found in the folder may not.
      var status = stat()
      guard stat(diskPath, &status) == 0 else {
        throw Unreadable(description: "The file \(diskPath) cannot be read: \(String(cString: strerror(errno))).")
      }
      entries.removeAll { $0.path == path }
      entries.append(
        Entry(path: path, diskPath: diskPath, mediaType: mediaType, signature: signature(of: path, status))
      )
    }
    return entries.sorted { $0.path < $1.path }
  }

  private static func list(_ folder: String, under prefix: String, depth: Int, into entries: inout [Entry]) throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw Unreadable(
        description: "The folder \(folder) of the web client cannot be read. Name the right one with --web-client."
      )
    }
    for name in names where !name.hasPrefix(".") && name != "node_modules" && name != "tests" {
      let diskPath = folder + "/" + name
      var status = stat()
      // lstat: a symbolic link may lead out of the folder and is not followed.
      guard lstat(diskPath, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR where depth < 8:
        try list(diskPath, under: prefix + name + "/", depth: depth + 1, into: &entries)
      case S_IFREG where status.st_size <= largestFile:
        // Declarations for the type checker are source, not part of the page.
        guard !name.hasSuffix(".d.ts"), let mediaType = MediaTypes.ofFile(named: name) else { continue }
        entries.append(
          Entry(
            path: prefix + name,
            diskPath: diskPath,
            mediaType: mediaType,
            signature: signature(of: prefix + name, status)
          )
        )
      default: continue
      }
    }
  }

  private static func signature(of path: String, _ status: stat) -> String {
    "\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ino)"
  }

  private static func read(_ entries: [Entry]) throws -> Build {
    var contents: [(entry: Entry, bytes: Data)] = []
    var all = SHA256()
    for entry in entries {
      let bytes: Data
      do {
        bytes = try Data(contentsOf: URL(fileURLWithPath: entry.diskPath))
      } catch {
        throw Unreadable(description: "The file \(entry.diskPath) cannot be read.")
      }
      all.update(data: Data("\(entry.path) \(bytes.count)\n".utf8))
      all.update(data: bytes)
      contents.append((entry, bytes))
    }
    let hash = String(Data(all.finalize()).hexadecimal.prefix(16))
    var files: [String: File] = [:]
    var page: File?
    for (entry, bytes) in contents {
      if entry.path == "index.html" {
        let text = String(decoding: bytes, as: UTF8.self)
        page = file(
          ByteBuffer(string: text.replacingOccurrences(of: "/client/dev/", with: "/client/\(hash)/")),
          entry.mediaType
        )
      } else {
        files[entry.path] = file(ByteBuffer(bytes: bytes), entry.mediaType)
      }
    }
    let languages = files.keys.compactMap { path -> String? in
      let parts = path.split(separator: "/")
      guard parts.count >= 2, parts[parts.count - 2] == "languages", let name = parts.last,
        let ending = [".json", ".js"].first(where: { name.hasSuffix($0) })
      else { return nil }
      let code = name.dropLast(ending.count)
      // A language code, not a helper that lies beside the texts.
      return code.utf8.count == 2 || code.contains("-") ? String(code) : nil
    }
    let missing = MissingPage(build: hash, files: files, languages: languages)
    return Build(hash: hash, page: page, files: files, languages: languages.sorted(), missing: missing)
  }

  private static func file(_ plain: ByteBuffer, _ mediaType: String) -> File {
    File(
      mediaType: mediaType,
      plain: plain,
      gzip: MediaTypes.isCompressible(mediaType) ? Gzip.compress(plain, level: 9) : nil,
      hash: String(Data(SHA256.hash(data: Data(plain.readableBytesView))).hexadecimal.prefix(32))
    )
  }
}

extension ServerOptions {
  /// The engine's files, by the path under which the web client asks for them.
  var engineFiles: [String: String] {
    guard let wasmFile else { return [:] }
    var files = ["engine.wasm": wasmFile]
    let folder = URL(fileURLWithPath: wasmFile).deletingLastPathComponent()
    for name in ["places.wasm", "vision.wasm", "walls.wasm", "models.wasm", "odometry.wasm"] {
      let path = folder.appending(path: name).path
      if FileManager.default.fileExists(atPath: path) { files[name] = path }
    }
    return files
  }
}
