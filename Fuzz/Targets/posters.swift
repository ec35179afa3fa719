import Foundation
import SightlineContent
import SightlineStore

@testable import SightlineServer

/// The table of a folder of posters: what it says, and its rows written and read again.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Data(bytes: data, count: count)
  let table: PosterTable
  do throws(PosterTable.Malformed) {
    table = try PosterTable(bytes)
  } catch {
    precondition(error.line >= 1 && error.description.hasSuffix("."), "refused without line or sentence")
    return 0
  }
  for row in table.rows {
    precondition(row.line >= 1 && !row.fields.isEmpty, "a row from nowhere")
    var draft = PosterDraft(row, of: table, file: table.field(row, "file") ?? "a.jpg")
    do throws(PosterSizeText.Unreadable) {
      draft.sizes = try PosterSizeText.sizes(table.field(row, "sizes") ?? "", isLandscape: row.line % 2 == 0)
      precondition(draft.sizes.allSatisfy { $0.width.isFinite && $0.height.isFinite && !$0.name.isEmpty }, "no size")
    } catch {
      precondition(error.description.hasSuffix("."), "refused without a sentence")
    }
    let problems = draft.problems()
    precondition(problems.allSatisfy { $0.message.hasSuffix(".") }, "a problem without a sentence")
    guard problems.isEmpty else { continue }
    // What is stored has to be read again.
    let poster = draft.poster([PosterPicture(url: "/assets/0", width: 3, height: 4)], color: "#000000")
    guard let json = try? JSONEncoder().encode(poster), let again = try? JSONDecoder().decode(Poster.self, from: json),
      again == poster
    else { preconditionFailure("cannot be stored") }
  }
  // Every field in quotation marks, commas between them: the same table.
  let quoted = { (fields: [String]) in
    fields.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",")
  }
  // A separator without any quoted comma is what the first line is measured by.
  guard !table.columns.contains(where: { $0.contains(";") || $0.contains("\t") || $0.contains("\n") }) else { return 0 }
  let text = ([quoted(table.columns)] + table.rows.map { quoted($0.fields) }).joined(separator: "\n") + "\n"
  guard let again = try? PosterTable(Data(text.utf8)) else { preconditionFailure("not readable: \(text)") }
  precondition(again.columns == table.columns, "other columns: \(text)")
  precondition(again.rows.map(\.fields) == table.rows.map(\.fields), "other rows: \(text)")
  return 0
}
