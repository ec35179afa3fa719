import SightlineTestSupport
import Testing

@testable import SightlineServer

@Suite struct DraftMergeTests {
  private func thing(_ id: String, _ members: [String: JSONValue] = [:]) -> JSONValue {
    .object(members.merging(["id": .string(id)]) { $1 })
  }

  private func world(_ places: [JSONValue], _ members: [String: JSONValue] = [:]) -> JSONValue {
    .object(members.merging(["places": .array(places)]) { $1 })
  }

  @Test func `what one side has changed is taken from it`() {
    let base = world([thing("a", ["title": .string("A")]), thing("b")], ["name": .string("W")])
    let mine = world([thing("a", ["title": .string("A2")]), thing("b")], ["name": .string("W")])
    let theirs = world([thing("a", ["title": .string("A"), "link": .string("x")])], ["name": .string("W2")])
    let merge = DraftMerge(base: base, mine: mine, theirs: theirs)
    #expect(merge.conflicts.isEmpty)
    #expect(
      merge.result
        == world([thing("a", ["title": .string("A2"), "link": .string("x")])], ["name": .string("W2")])
    )
  }

  @Test func `a thing changed here and removed there is a conflict, either way round`() {
    let base = world([thing("a", ["title": .string("A")])])
    let changed = world([thing("a", ["title": .string("B")])])
    let removed = world([])
    for (mine, theirs) in [(changed, removed), (removed, changed)] {
      let merge = DraftMerge(base: base, mine: mine, theirs: theirs)
      #expect(merge.conflicts.map(\.path) == ["places/a"])
      #expect(merge.result == theirs)
    }
  }

  @Test func `the kind of a look and its parts are one thing`() {
    func look(_ kind: String, _ value: String) -> JSONValue {
      world([thing("a", ["visual": .object(["kind": .string(kind), kind: .string(value)])])])
    }
    let merge = DraftMerge(base: look("text", "t"), mine: look("image", "i"), theirs: look("text", "u"))
    #expect(merge.conflicts.map(\.path) == ["places/a/visual"])
  }

  @Test func `new things of both stand where they were put`() {
    let base = world([thing("a"), thing("b")])
    let mine = world([thing("a"), thing("m"), thing("b"), thing("n")])
    let theirs = world([thing("t"), thing("a"), thing("b")])
    let merge = DraftMerge(base: base, mine: mine, theirs: theirs)
    #expect(merge.conflicts.isEmpty)
    #expect(merge.result == world(["t", "a", "m", "b", "n"].map { thing($0) }))
  }

  /// Random edits: without a conflict, both orders give the same things; every difference of either side to the base is
  /// in the result or told as a conflict.
  @Test(arguments: 1...60) func `nothing that either side did is lost in silence`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    func draft(_ from: [String: [String: JSONValue]]) -> [String: [String: JSONValue]] {
      var result = from
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let id = "p\(Int.random(in: 0..<6, using: &random))"
        switch Int.random(in: 0..<4, using: &random) {
        case 0: result[id] = nil
        case 1: result[id] = result[id] ?? ["title": .number(Double.random(in: 0...1, using: &random))]
        default:
          let name = ["title", "link", "note"][Int.random(in: 0..<3, using: &random)]
          if result[id] != nil { result[id]?[name] = .number(Double(Int.random(in: 0...3, using: &random))) }
        }
      }
      return result
    }
    func value(_ places: [String: [String: JSONValue]]) -> JSONValue {
      world(places.keys.sorted().map { thing($0, places[$0] ?? [:]) })
    }
    let base = draft(["p0": ["title": .number(1)], "p1": ["title": .number(2)], "p2": [:]])
    let (mine, theirs) = (draft(base), draft(base))
    let one = DraftMerge(base: value(base), mine: value(mine), theirs: value(theirs))
    let other = DraftMerge(base: value(base), mine: value(theirs), theirs: value(mine))
    #expect(Set(one.conflicts.map(\.path)) == Set(other.conflicts.map(\.path)))
    guard case .object(let members) = one.result, case .array(let things)? = members["places"] else {
      Issue.record("no places")
      return
    }
    let joined = Dictionary(uniqueKeysWithValues: things.compactMap { thing in thing.identifier.map { ($0, thing) } })
    let paths = one.conflicts.map(\.path)
    for side in [mine, theirs] {
      for id in Set(side.keys).union(base.keys) where side[id] != base[id] {
        if paths.contains(where: { $0 == "places/\(id)" }) { continue }
        guard let own = side[id] else {
          #expect(joined[id] == nil, "\(id) was removed")
          continue
        }
        guard case .object(let result)? = joined[id] else {
          Issue.record("\(id) is gone")
          continue
        }
        for (name, value) in own where base[id]?[name] != value && !paths.contains("places/\(id)/\(name)") {
          #expect(result[name] == value, "\(id)/\(name)")
        }
      }
    }
    if one.conflicts.isEmpty, case .object(let others) = other.result, case .array(let list)? = others["places"] {
      #expect(Set(list.compactMap(\.identifier)) == Set(joined.keys))
    }
  }
}
