import ArgumentParser
import Foundation
import SightlineServer
import SightlineStore

/// Where the bytes of files are kept, as several commands take it.
struct AssetsOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where pictures and models are kept that are sent from now on: a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST&region=NAME "
        + "(default: in the database).",
      valueName: "place"
    )
  )
  var assets: String?

  @Option(
    help: ArgumentHelp(
      "File with the access key of s3://… in its first line and the secret key in its second. Without, they are in "
        + "SIGHTLINE_ASSETS_ACCESS_KEY and SIGHTLINE_ASSETS_SECRET_KEY, or where AWS's programs look in the environment.",
      valueName: "file"
    )
  )
  var assetsCredentialsFile: String?

  /// The place; `nil` for the database.
  func place() throws -> (any AssetPlace)? {
    guard let text = Setting.text(assets, "assets") else { return nil }
    return try Self.place(text, credentialsFile: Setting.text(assetsCredentialsFile, "assets-credentials-file"))
  }

  /// The place that a text names; `nil` for `database`.
  static func place(_ text: String, credentialsFile: String?) throws -> (any AssetPlace)? {
    if text == "database" { return nil }
    do {
      guard S3Address.isAddress(text) else { return try FolderAssetPlace(text) }
      return S3AssetPlace(try S3Address(text), credentials: try credentials(credentialsFile))
    } catch let error as AssetPlaceError {
      throw Failure(error.description)
    }
  }

  private static func credentials(_ file: String?) throws -> S3Credentials {
    if let file {
      let lines = (try? String(contentsOfFile: file, encoding: .utf8))?.split(whereSeparator: \.isNewline).map(
        String.init
      )
      guard let lines, lines.count >= 2 else {
        throw Failure(
          "The file \(file) cannot be read, or has no two lines. Write the access key in the first and the secret key in the second."
        )
      }
      return S3Credentials(accessKey: lines[0], secretKey: lines[1])
    }
    func variable(_ name: String) -> String? {
      ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    if let access = Setting.text(nil, "assets-access-key"), let secret = Setting.text(nil, "assets-secret-key") {
      return S3Credentials(accessKey: access, secretKey: secret)
    }
    if let access = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") {
      return S3Credentials(accessKey: access, secretKey: secret, sessionToken: variable("AWS_SESSION_TOKEN"))
    }
    throw Failure(
      "There are no credentials for the files. Name a file with --assets-credentials-file, or set SIGHTLINE_ASSETS_ACCESS_KEY "
        + "and SIGHTLINE_ASSETS_SECRET_KEY."
    )
  }
}

/// `sightline assets`.
struct AssetsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assets",
    abstract: "Look after the pictures and models of a database.",
    subcommands: [AssetsMove.self]
  )
}

/// `sightline assets move`.
struct AssetsMove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Bring the bytes of all files into the database, a folder or an S3-compatible store.",
    discussion: """
      --assets says where files are now that are not in the database. Each file is looked at, kept in its new place, and only \
      then removed from the old one; a move that is interrupted goes on by the same command. Between the database and a place \
      it may run beside servers that have that place as --assets; from place to place end them first.
      """
  )

  @Argument(
    help: ArgumentHelp("database, a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST&region=NAME.", valueName: "to")
  )
  var to: String
  @Option(help: ArgumentHelp("File with the two keys of TO, if they are not those of --assets.", valueName: "file"))
  var toCredentialsFile: String?
  @OptionGroup var files: AssetsOption
  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let source = try files.place()
    let given = Setting.text(files.assetsCredentialsFile, "assets-credentials-file")
    let target = try AssetsOption.place(to, credentialsFile: toCredentialsFile ?? given)
    if let source, let target, source.description == target.description {
      throw ValidationError("TO is the place of --assets. Name another one.")
    }
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    guard let move = AssetMove(file, from: source, to: target) else { return }
    let progress = TransferProgress()
    let report = try await TransferFailure.named {
      try await move.run { progress.show(CopyProgress(step: "files", rows: Int64($0))) }
    }
    progress.end()
    for failure in report.failures { Console.note(failure) }
    Console.say(
      "\(Console.count(report.files, "file")) moved to \(target?.description ?? "the database"), \(report.bytes) bytes"
    )
    if !report.failures.isEmpty { throw ExitCode(1) }
  }
}
