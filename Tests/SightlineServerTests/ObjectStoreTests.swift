import Crypto
import Foundation
import SightlineStore
import SightlineTestSupport
import Synchronization
import Testing

@testable import SightlineServer

/// An S3-compatible store for tests, of Python's moto, which checks signatures.
///
/// `SIGHTLINE_WITHOUT_S3=1` leaves it out; without it a machine that has none fails.
final class TestObjectStore: Sendable {
  private struct Notice: Decodable {
    var port: Int
    var accessKey: String
    var secretKey: String
    var bucket: String
  }

  static let isLeftOut = ProcessInfo.processInfo.environment["SIGHTLINE_WITHOUT_S3"] == "1"

  private static let first = Mutex<Result<TestObjectStore, any Error>?>(nil)

  /// The one of this process.
  static func shared() throws -> TestObjectStore {
    try first.withLock { first in
      let result = first ?? Result { try TestObjectStore() }
      first = result
      return try result.get()
    }
  }

  let endpoint: String
  let bucket: String
  let credentials: S3Credentials
  /// Its end is the end of the store.
  private let input = Pipe()

  private init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let python = root.deletingLastPathComponent().appendingPathComponent(".venv/bin/python").path
    let output = Pipe()
    let name = FileManager.default.isExecutableFile(atPath: python) ? python : "python3"
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try ChildProgram.startUnattended(
      [name, root.appendingPathComponent("Support/object_store.py").path],
      in: "/tmp",
      input: input.fileHandleForReading.fileDescriptor,
      output: output.fileHandleForWriting.fileDescriptor
    )
    // Only the store itself holds the writing end: its end is the end of what is read.
    try output.fileHandleForWriting.close()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
    guard !line.isEmpty else {
      throw AssetPlaceError.refused("moto", reason: "it does not start. See: Scripts/install-dependencies test")
    }
    let notice = try JSONDecoder().decode(Notice.self, from: line)
    endpoint = "http://127.0.0.1:\(notice.port)"
    bucket = notice.bucket
    credentials = S3Credentials(accessKey: notice.accessKey, secretKey: notice.secretKey)
  }

  func address(bucket: String? = nil, prefix: String = "") throws -> S3Address {
    try S3Address("s3://\(bucket ?? self.bucket)/\(prefix)?endpoint=\(endpoint)&region=eu-central-1")
  }
}

/// Files in an S3-compatible store.
@Suite(.timeLimit(.minutes(5))) struct ObjectStoreTests {
  private static let name = "ab/ab" + String(repeating: "0", count: 62) + "-0123456789abcdef"

  // MARK: Signatures

  /// The examples of "Authenticating Requests: Using the Authorization Header" in the Amazon S3 API Reference.
  @Test(arguments: [
    (
      "GET", "/test.txt", [(String, String)](), ["range": "bytes=0-9"], "",
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    ),
    (
      "PUT", "/test$file.text", [],
      ["date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"], "Welcome to Amazon S3.",
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
    ),
    ("GET", "/", [("lifecycle", "")], [:], "", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    (
      "GET", "/", [("prefix", "J"), ("max-keys", "2")], [:], "",
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    ),
  ])
  func `a signature is that of the published examples`(
    _ method: String,
    _ path: String,
    _ query: [(String, String)],
    _ headers: [String: String],
    _ body: String,
    _ expected: String
  ) throws {
    let credentials = S3Credentials(
      accessKey: "AKIAIOSFODNN7EXAMPLE",
      secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    )
    let signature = S3Signature(
      credentials: credentials,
      region: "us-east-1",
      time: Date(timeIntervalSince1970: 1_369_353_600)
    )
    let signed = signature.headers(
      method: method,
      path: path,
      query: query,
      headers: headers.merging(["host": "examplebucket.s3.amazonaws.com"]) { $1 },
      payload: S3Signature.digest(Data(body.utf8))
    )
    #expect(signed["x-amz-date"] == "20130524T000000Z")
    #expect(signed["authorization"]?.hasSuffix("Signature=\(expected)") == true, "\(signed)")
    #expect(
      !"\(credentials)\(String(reflecting: credentials))\(Mirror(reflecting: credentials).children)".contains("wJal")
    )
  }

  @Test func `a session token is signed`() {
    let credentials = S3Credentials(accessKey: "a", secretKey: "b", sessionToken: "token")
    let signed = S3Signature(credentials: credentials, region: "r", time: Date(timeIntervalSince1970: 0))
      .headers(method: "GET", path: "/", headers: ["host": "h"], payload: "p")
    #expect(signed["x-amz-security-token"] == "token")
    #expect(signed["authorization"]?.contains("x-amz-date;x-amz-security-token,") == true)
  }

  // MARK: Addresses

  @Test func `an address is read`() throws {
    let address = try S3Address("s3://my.files-1/a/b/?endpoint=https://s3.example.org:9000&region=garage")
    #expect(address.bucket == "my.files-1" && address.prefix == "a/b/" && address.region == "garage")
    #expect(address.endpoint == "https://s3.example.org:9000" && "\(address)" == "s3://my.files-1/a/b/")
    #expect(try S3Address("s3://files?region=eu-west-1").endpoint == "https://s3.eu-west-1.amazonaws.com")
    #expect(try S3Address("s3://files?endpoint=http://10.0.0.7:9000&plain=1").prefix == "")
  }

  @Test(arguments: [
    "s3:/files", "s3://", "s3://ab", "s3://Files", "s3://a b c", "s3://files/../x", "s3://files?endpoint",
    "s3://files?endpoint=ftp://x", "s3://files?endpoint=http://s3.example.org", "s3://files?endpoint=https://a:b@x.org",
    "s3://files?endpoint=https://x.org/path", "s3://files?endpoint=https://x.org?y", "s3://files?region=a/b",
    "s3://files?secret=x", "s3://files?endpoint=%zz", "s3://files?plain=2", "s3://fi..les", "s3://files/\u{7F}",
    "s3://files/" + String(repeating: "a", count: 501),
  ])
  func `what is no address is refused with a reason`(_ text: String) {
    let error = #expect(throws: AssetPlaceError.self) { try S3Address(text) }
    #expect(error.map { "\($0)".hasSuffix(".") } == true)
  }

  // MARK: Faults

  private static func place(_ port: Int, tries: Int = 4, seconds: Double = 60) throws -> S3AssetPlace {
    S3AssetPlace(
      try S3Address("s3://files/?endpoint=http://127.0.0.1:\(port)"),
      credentials: S3Credentials(accessKey: "access", secretKey: "very-secret"),
      patience: S3Patience(seconds: seconds, bytesPerSecond: 1e9, tries: tries, wait: 0.01)
    )
  }

  @Test func `what passes is tried again, and everything ends`() async throws {
    let body = Array("the file".utf8)
    let host = try await FaultHost(good: { body })
    let place = try Self.place(host.port)
    #expect(try await place.read(Self.name, size: 8) == Data(body))
    // Fails three times and then answers.
    host.set(.bursts)
    while host.count % 8 != 0 { _ = try? await Self.place(host.port, tries: 1).read(Self.name, size: 8) }
    #expect(try await place.read(Self.name, size: 8) == Data(body))
    for fault in [FaultHost.Fault.failing, .hang, .slow, .reset, .garbage, .tooShort] {
      host.set(fault)
      let before = host.count
      let error = await #expect(throws: AssetPlaceError.self, "\(fault)") {
        _ = try await Self.place(host.port, tries: 2, seconds: 0.5).read(Self.name, size: 100_000)
      }
      guard case .unreachable(_, let reason)? = error else {
        Issue.record("\(fault): \(String(describing: error))")
        continue
      }
      #expect(!reason.contains("very-secret") && host.count - before == 2, "\(fault): \(reason) \(host.count - before)")
    }
    // More than there is to be is not read.
    for fault in [FaultHost.Fault.huge, .page] {
      host.set(fault)
      let error = await #expect(throws: AssetPlaceError.self) { _ = try await place.read(Self.name, size: 8) }
      #expect(error.map { "\($0)".contains("more bytes than the 8") } == true)
    }
    host.set(.huge)
    try await place.write(Data(body), name: Self.name)
    try await host.stop()
    let gone = await #expect(throws: AssetPlaceError.self) { try await place.remove(Self.name) }
    #expect(gone.map { "\($0)".contains("takes no connections") } == true)
    for name in ["../../x", "a b", "a\0b", String(repeating: "a", count: 300)] {
      await #expect(throws: AssetPlaceError.self) { _ = try await place.read(name, size: 1) }
    }
  }

  // MARK: A store

  @Test(.enabled(if: !TestObjectStore.isLeftOut)) func `files are kept, read and removed`() async throws {
    let store = try TestObjectStore.shared()
    let place = S3AssetPlace(try store.address(prefix: "x/ü+$,="), credentials: store.credentials)
    #expect(try await place.read(Self.name, size: 10) == nil)
    for bytes in [Data(), Data(repeating: 0xC3, count: 2_000_000)] {
      try await place.write(bytes, name: Self.name)
      #expect(try await place.read(Self.name, size: bytes.count) == bytes)
    }
    await #expect(throws: AssetPlaceError.self) { _ = try await place.read(Self.name, size: 100) }
    try await place.remove(Self.name)
    try await place.remove(Self.name)
    #expect(try await place.read(Self.name, size: 10) == nil)

    let wrong = S3Credentials(accessKey: store.credentials.accessKey, secretKey: "another-secret")
    for (address, credentials, words) in [
      (try store.address(), wrong, "does not take the credentials"),
      (try store.address(), S3Credentials(accessKey: "nobody", secretKey: "x"), "does not take the credentials"),
      (try store.address(bucket: "no-such-bucket"), store.credentials, "no bucket no-such-bucket"),
    ] {
      let other = S3AssetPlace(address, credentials: credentials)
      for ask in [
        { _ = try await other.read(Self.name, size: 1) }, { try await other.write(Data([1]), name: Self.name) },
      ] {
        let error = await #expect(throws: AssetPlaceError.self) { try await ask() }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(words) && !text.contains("another-secret"), "\(text)")
      }
    }
  }

  @Test(.enabled(if: !TestObjectStore.isLeftOut)) func `a database keeps its files there, and moves them`() async throws
  {
    let store = try TestObjectStore.shared()
    let place = S3AssetPlace(try store.address(prefix: "files"), credentials: store.credentials)
    let folder = NSTemporaryDirectory() + "sightline-objects-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let database = try SQLiteDatabase(path: folder + "/test.sqlite")
    let stores = Stores(database, files: place)
    let bytes = Data(repeating: 7, count: 100_000)
    let hash = try await stores.assets.saveAsset(bytes, mediaType: "image/png")
    #expect(try await stores.assets.asset(hash)?.bytes == bytes)
    await #expect(throws: AssetPlaceError.notNamed(hash)) { _ = try await Stores(database).assets.asset(hash) }
    #expect(try await AssetMove(database, from: place, to: nil)?.run().files == 1)
    #expect(try await Stores(database).assets.asset(hash)?.bytes == bytes)
    #expect(try await AssetMove(database, from: nil, to: place)?.run().bytes == 100_000)
    #expect(try await stores.assets.asset(hash)?.bytes == bytes)
    try database.close()
  }
}
