import Foundation
import SightlineContent
import SightlineImport
import SightlinePictures
public import SightlineStore

/// Brings posters into the catalogue: a folder of pictures with a table, or one at a time.
public struct PosterImporter: Sendable {
  /// What became of a table's row.
  public struct RowOutcome: Sendable {
    /// Line of the table the row begins on.
    public var line: Int
    /// The poster's identifier, as far as it is known.
    public var id: String?
    /// What became of it; `nil` when it was refused.
    public var outcome: PosterOutcome?
    /// What is wrong with it.
    public var problems: [Problem]
  }

  /// The table could not be read at all.
  public struct Unreadable: Error, CustomStringConvertible {
    /// A sentence with path, line and reason.
    public let description: String
  }

  /// The name a table has unless another is given.
  public static let tableName = "posters.csv"

  /// Columns that a table may have; `file` and `title` and `sizes` are needed.
  static let columns = ["file", "id", "title", "artist", "text", "categories", "sizes", "shop"]

  private let posters: any PosterStore
  private let assets: any AssetStore

  /// An importer for a store.
  public init(posters: any PosterStore, assets: any AssetStore) {
    self.posters = posters
    self.assets = assets
  }

  /// Imports every row of a table; a row that is refused does not keep the others out.
  ///
  /// - Parameters:
  ///   - folder: where the pictures lie; names in the table are relative to it and may not lead out of it.
  ///   - path: of the table; `nil` for `posters.csv` in the folder.
  ///   - report: called for each row when it is done.
  /// - Throws: ``Unreadable`` when there is no table, and the store's errors.
  public func importFolder(
    _ folder: String,
    table path: String? = nil,
    report: (RowOutcome) -> Void
  ) async throws {
    let path = path ?? folder + "/" + PosterImporter.tableName
    let table: PosterTable
    do {
      let bytes = try LocalFile.read(path, named: path, largest: ImportedDocument.largestPicture)
      table = try PosterTable(bytes)
    } catch let error as LocalFile.Unreadable {
      throw Unreadable(description: error.description)
    } catch let error as PosterTable.Malformed {
      throw Unreadable(description: "\(path):\(error.line): \(error.description)")
    }
    for column in ["file", "title", "sizes"] where !table.columns.contains(column) {
      throw Unreadable(
        description:
          "\(path):1: There is no column \(column). The columns are \(Self.columns.joined(separator: ", ")); "
          + "file, title and sizes are needed."
      )
    }
    var known: [String: Int] = [:]
    for row in table.rows {
      var outcome = RowOutcome(line: row.line, id: nil, outcome: nil, problems: [])
      do {
        try await importRow(row, of: table, folder: folder, known: &known, &outcome)
      } catch let error as StoreError {
        outcome.problems.append(Problem(.error, "poster.store", line: row.line, path: "", message: error.description))
      }
      for index in outcome.problems.indices { outcome.problems[index].line = row.line }
      report(outcome)
    }
  }

  private func importRow(
    _ row: PosterTable.Row,
    of table: PosterTable,
    folder: String,
    known: inout [String: Int],
    _ outcome: inout RowOutcome
  ) async throws {
    func refuse(_ path: String, _ message: String) {
      outcome.problems.append(Problem(.error, "poster.\(path)", line: row.line, path: path, message: message))
    }
    if row.fields.count > table.columns.count {
      return refuse(
        "row",
        "The row has \(row.fields.count) fields, the table \(table.columns.count) columns. Put texts that hold a "
          + "separator in quotation marks."
      )
    }
    guard let file = table.field(row, "file") else {
      return refuse("file", "The name of the picture's file is missing.")
    }
    var draft = PosterDraft(row, of: table, file: file)
    outcome.id = draft.id
    if let before = known[draft.id] {
      return refuse("id", "Line \(before) has the identifier \"\(draft.id.prefix(80))\" already.")
    }
    known[draft.id] = row.line
    guard let relative = LocalFile.relativePath(file) else {
      return refuse("file", "\"\(file.prefix(200))\" is no file below the folder.")
    }
    let made: PosterPictures.Made
    do {
      let bytes = try LocalFile.read(
        folder + "/" + relative,
        named: relative,
        largest: ImportedDocument.largestPicture,
        below: folder
      )
      made = try PosterPictures.make(bytes)
    } catch let error as LocalFile.Unreadable {
      return refuse("file", error.description)
    } catch let error as PictureError {
      return refuse("file", "\(relative): \(error.description)")
    } catch let error as PosterPictures.Unfit {
      return refuse("file", "\(relative): \(error.description)")
    }
    do throws(PosterSizeText.Unreadable) {
      draft.sizes = try PosterSizeText.sizes(table.field(row, "sizes") ?? "", isLandscape: made.aspect > 1)
    } catch {
      return refuse("sizes", error.description)
    }
    outcome.problems += draft.problems()
    guard outcome.problems.isEmpty else { return }
    outcome.problems += draft.unfitting(aspect: made.aspect)
    outcome.outcome = try await save(draft, made)
  }

  /// Stores the renditions under their hashes, then the poster.
  func save(_ draft: PosterDraft, _ made: PosterPictures.Made) async throws -> PosterOutcome {
    var pictures: [PosterPicture] = []
    for rendition in made.renditions {
      let hash = try await assets.saveAsset(rendition.bytes, mediaType: "image/jpeg")
      pictures.append(PosterPicture(url: "/assets/\(hash)", width: rendition.width, height: rendition.height))
    }
    return try await posters.savePoster(draft.poster(pictures, color: made.color))
  }
}
