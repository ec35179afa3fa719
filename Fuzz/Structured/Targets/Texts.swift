import Foundation
import NIOCore
import SightlineContent
import SightlineFormats
import SightlineSimulator
import SightlineStore

@testable import SightlineServer

/// Form fields of a request for a dimension, by both readers of form fields.
struct RequestTarget: StructuredTarget {
  static let name = "request"
  private let names = [
    "event", "eventSrc", "lat", "lon", "alt", "bearing", "pitch", "roll", "width", "height", "uid", "time", "x", "",
  ]
  private let events = ["init", "refreshOnTime", "refreshOnDistance", "refreshOnPress", "NULL", "x"]

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    let count = random.once(in: 300) ? 3_000 : random.number(in: 1...14)
    for number in 0..<count {
      if number > 0 { out += (random.once(in: 40) ? random.pick([";", "&&", "?"]) : "&").utf8 }
      let name = names[random.below(names.count)]
      out += name.utf8
      if random.once(in: 30) { continue }
      out += (random.once(in: 40) ? "==" : "=").utf8
      let value: String
      switch random.below(5) {
      case 0: value = Values.extremeNumber(&random)
      case 1: value = Values.extremeText(&random)
      case 2: value = name == "event" ? events[random.below(events.count)] : Values.word(&random)
      default: value = name == "lat" ? Values.latitude(&random) : Values.decimal(&random, -400...400)
      }
      for byte in value.utf8 {
        if (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E || byte > 0x60, !random.once(in: 30) {
          out.append(byte)
        } else if random.once(in: 12) {
          out += random.pick(["%", "%4", "%zz", "+", "%00", "%ff", "%C3", "%u00e4"]).utf8
        } else {
          out.append(0x25)
          out += (byte < 16 ? "0" : "").utf8
          out += String(byte, radix: 16).utf8
        }
      }
    }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    let (request, problems) = GDDFRequest.decode(input)
    try require(problems.count <= 20, "too many findings")
    let (again, more) = GDDFRequest.decode(Array(request.encoded().utf8))
    try require(more.isEmpty, "what was encoded is not understood", request.encoded())
    try require(again.encoded() == request.encoded(), "differs when encoded again", request.encoded())
    let fields = FormFields(String(decoding: input, as: UTF8.self))
    try require(fields.fields.count <= FormFields.maximumCount, "too many fields")
    return problems.isEmpty ? .accepted : .refused
  }
}

/// Questions as clients ask them by the thousand, read without a tree: what is read has to be what a real reader reads.
struct QuestionTarget: StructuredTarget {
  static let name = "question"
  private let names = [
    "latitude", "longitude", "radius", "limit", "window", "time", "stops", "id", "query", "language", "west", "east",
    "accuracy",
  ]

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    var tree = Node.object([])
    for _ in 0..<random.number(in: 0...(random.once(in: 20) ? 30 : 6)) {
      let name = names[random.below(names.count)]
      switch random.below(8) {
      case 0..<3: tree.children.append(.raw(Values.decimal(&random, -180...180), as: name))
      case 3, 4: tree.children.append(.raw(Values.extremeNumber(&random), as: name))
      case 5: tree.children.append(.text(Values.extremeText(&random), as: name))
      case 6: tree.children.append(.text(Values.word(&random), as: name))
      default:
        tree.children.append(.raw(random.pick(["null", "true", "[]", "{}", "[1,2]", "-", "0.", "1e5"]), as: name))
      }
    }
    tree.json(into: &out)
    if random.once(in: 10), !out.isEmpty { out.breakFields(&random) }
    if random.once(in: 10) { out += " \n".utf8 }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    guard let question = FlatQuestion(ByteBuffer(bytes: input)) else { return .refused }
    let tree: DataTree
    do throws(DataTree.Failure) { tree = try DataTree.json(input) } catch {
      throw Finding("taken, but no JSON", error.message)
    }
    for member in tree.members {
      switch question[member.name] {
      case .number(let value):
        try require(
          value == Double(member.value.text),
          "another number",
          "\(member.name): \(value) \(member.value.text)"
        )
      case .text(let text): try require(text == member.value.text, "another text", "\(member.name): \(text)")
      case nil: throw Finding("a member is missing", member.name)
      }
    }
    return .accepted
  }
}

/// The table of a folder of posters.
struct PostersTarget: StructuredTarget {
  static let name = "posters"
  private let names = [
    "file", "title", "sizes", "categories", "artist", "year", "text", "url", "price", "id", "files", "width", "height",
    "x",
  ]
  private let sizes = [
    "A3 24,90 EUR", "Large 700x1000mm", "19.7x27.6in", "A0", "A3;A4", "50x70", "1e30x5", "0x0", "A3 -1 EUR", "B1 0",
    "x",
  ]

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    let columns = (0..<random.number(in: 1...8)).map { _ in names[random.below(names.count)] }
    let separator = random.pick([",", ",", ";", "\t"])
    let end = random.pick(["\n", "\n", "\r\n", "\r"])
    func field(_ text: String, _ random: inout Random) {
      let isQuoted = text.contains(separator) || text.contains("\"") || text.contains("\n") || random.once(in: 8)
      guard isQuoted, !random.once(in: 20) else { return out += text.utf8 }
      out += "\"\(text.replacing("\"", with: random.once(in: 20) ? "\"" : "\"\""))\"".utf8
      if random.once(in: 30) { out += random.pick(["x", "\"", " "]).utf8 }
    }
    if random.once(in: 10) { out += [0xEF, 0xBB, 0xBF] }
    for (number, column) in columns.enumerated() {
      if number > 0 { out += separator.utf8 }
      field(column, &random)
    }
    out += end.utf8
    for _ in 0..<(random.once(in: 300) ? 2_000 : random.count(upTo: 12)) {
      let count = random.once(in: 10) ? random.below(12) : columns.count
      for number in 0..<count {
        if number > 0 { out += separator.utf8 }
        let name = number < columns.count ? columns[number] : ""
        switch random.below(4) {
        case 0: field(Values.extremeText(&random), &random)
        case 1 where name == "sizes": field(sizes[random.below(sizes.count)], &random)
        default: field(name == "file" ? "\(Values.identifier(&random)).jpg" : Values.word(&random), &random)
        }
      }
      if !random.once(in: 20) { out += end.utf8 }
    }
    if random.once(in: 12) { out.breakFields(&random) }
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    let table: PosterTable
    do throws(PosterTable.Malformed) { table = try PosterTable(Data(input)) } catch {
      try require(
        error.line >= 1 && error.description.hasSuffix("."),
        "refused without line or sentence",
        error.description
      )
      return .refused
    }
    for row in table.rows {
      try require(row.line >= 1 && !row.fields.isEmpty, "a row from nowhere")
      var draft = PosterDraft(row, of: table, file: table.field(row, "file") ?? "a.jpg")
      do throws(PosterSizeText.Unreadable) {
        draft.sizes = try PosterSizeText.sizes(table.field(row, "sizes") ?? "", isLandscape: row.line % 2 == 0)
      } catch { try require(error.description.hasSuffix("."), "refused without a sentence", error.description) }
      try require(draft.sizes.allSatisfy { $0.width.isFinite && $0.height.isFinite && !$0.name.isEmpty }, "no size")
      for problem in draft.problems() { try require(problem.message.hasSuffix("."), "no sentence", problem.message) }
    }
    return .accepted
  }
}

/// Scripts of the virtual phone.
struct ScriptTarget: StructuredTarget {
  static let name = "script"
  private let lines: [[String]]

  init() {
    lines = Files.list(["Examples/Simulations"]).compactMap { Files.load($0) }.map { bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    precondition(!lines.isEmpty, "no Examples/Simulations; run it in the root of the repository")
  }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    var script = lines[random.below(lines.count)].filter { _ in !random.once(in: 8) }
    for _ in 0..<random.number(in: 0...3) {
      guard !script.isEmpty else { break }
      let one = random.below(script.count)
      switch random.below(6) {
      case 0...2:
        var words = script[one].split(separator: " ").map(String.init)
        guard !words.isEmpty else { continue }
        words[random.below(words.count)] =
          random.once(in: 3) ? Values.extremeText(&random) : Values.extremeNumber(&random)
        script[one] = words.joined(separator: " ")
      case 3: script.insert(random.pick(random.pick(lines)), at: one)
      case 4: script.swapAt(one, random.below(script.count))
      default: script.insert(contentsOf: repeatElement(script[one], count: random.once(in: 60) ? 2_000 : 3), at: one)
      }
    }
    out += script.joined(separator: "\n").utf8
  }

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    let script: SimulationScript
    do throws(ScriptProblem) { script = try SimulationScript(String(decoding: input, as: UTF8.self)) } catch {
      try require(!"\(error)".isEmpty, "refused without a sentence")
      return .refused
    }
    guard let simulation = try? Simulation(script) else { return .refused }
    let truth = simulation.truth(at: 1)
    _ = truth
    // Playing it is costly: of the few first events of some.
    guard input.count % 8 == 0 else { return .accepted }
    struct Enough: Error {}
    var events = 0
    do {
      try simulation.run { (_, time) throws(Enough) in
        events += 1
        if events > 40 || !time.isFinite { throw Enough() }
      }
    } catch {}
    return .accepted
  }
}
