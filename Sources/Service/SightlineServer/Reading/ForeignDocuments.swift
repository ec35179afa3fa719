import Foundation
import NIOCore
import SightlineContent
import SightlineReadWorkers

/// Foreign documents, read apart, as routes need them.
///
/// Each call throws a `ReadFailure` when there is no answer: the document is to blame, or too much waits.
struct ForeignDocuments: Sendable {
  let workers: ReadWorkers

  /// A world that came from an address, against which its relative addresses are resolved.
  func world(_ body: ByteBuffer, from url: String, client: String) async throws -> ForeignAnswers.World {
    let job = ReadJob(
      ForeignReaders.world,
      parameters: ForeignReaders.Parameters.world(url),
      document: Array(body.readableBytesView)
    )
    return try await read(job, client) { bytes throws(WireReader.Malformed) in try ForeignAnswers.world(bytes) }
  }

  /// A file in an archive from elsewhere; `nil` when it is not there, or cannot be unpacked.
  func packed(_ name: String, in archive: ByteBuffer, client: String) async throws -> ByteBuffer? {
    let job = ReadJob(
      ForeignReaders.packed,
      parameters: ForeignReaders.Parameters.packed(name),
      document: Array(archive.readableBytesView)
    )
    return try await read(job, client) { bytes throws(WireReader.Malformed) in
      var reader = WireReader(bytes)
      let isThere = try reader.flag()
      let file = try reader.part(limit: ForeignReaders.packed.largestAnswer)
      try reader.end()
      return isThere ? ByteBuffer(bytes: file) : nil
    }
  }

  /// An answer of OpenStreetMap's service about a topic.
  func map(_ body: ByteBuffer, topic: MapTopic, client: String) async throws -> ForeignAnswers.World {
    let job = ReadJob(
      ForeignReaders.map,
      parameters: ForeignReaders.Parameters.map(topic.id),
      document: Array(body.readableBytesView)
    )
    return try await read(job, client) { bytes throws(WireReader.Malformed) in try ForeignAnswers.world(bytes) }
  }

  /// A file that an author brings into the studio, with the pictures that lie in it: of at most `fileBytes` each, and of
  /// `allBytes` together, as they are stored.
  func draft(
    _ document: [UInt8],
    name: String,
    fileBytes: Int,
    allBytes: Int,
    client: String
  ) async throws -> ForeignAnswers.World {
    let job = ReadJob(
      ForeignReaders.draft,
      parameters: ForeignReaders.Parameters.draft(name, fileBytes: fileBytes, allBytes: allBytes),
      document: document
    )
    return try await read(job, client) { bytes throws(WireReader.Malformed) in try ForeignAnswers.world(bytes) }
  }

  /// A picture or model that was uploaded, as it is stored.
  func picture(_ document: [UInt8], side: Int, client: String) async throws -> PictureIntake.Result {
    let job = ReadJob(
      ForeignReaders.picture,
      parameters: ForeignReaders.Parameters.picture(side: side),
      document: document
    )
    let outcome = try await read(job, client) { bytes throws(WireReader.Malformed) in
      try PackedFile.Outcome(answer: bytes)
    }
    switch outcome {
    case .taken(let result): return result
    case .refused(let refusal): throw refusal
    }
  }

  /// The pictures of a poster, or why there are none.
  func poster(_ document: Data, client: String) async throws -> Result<PosterPictures.Made, PosterPictures.Unfit> {
    let job = ReadJob(ForeignReaders.poster, document: Array(document))
    return try await read(job, client) { bytes throws(WireReader.Malformed) in try ForeignAnswers.poster(bytes) }
  }

  /// The target file made of a stored picture, with a name and its width in print (metres); or why there is none.
  func target(
    _ picture: Data,
    name: String,
    width: Double,
    client: String
  ) async throws -> Result<[UInt8], PosterPictures.Unfit> {
    let job = ReadJob(
      ForeignReaders.target,
      parameters: ForeignReaders.Parameters.target(name, width: width),
      document: Array(picture)
    )
    return try await read(job, client) { bytes throws(WireReader.Malformed) in try ForeignAnswers.target(bytes) }
  }

  private func read<Answer: Sendable>(
    _ job: ReadJob,
    _ client: String,
    _ decode: @Sendable ([UInt8]) throws(WireReader.Malformed) -> Answer
  ) async throws -> Answer {
    let bytes = try await workers.read(job, client: client)
    do throws(WireReader.Malformed) { return try decode(bytes) } catch { throw ReadFailure.garbage }
  }
}
