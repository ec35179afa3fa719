/// Joins two drafts that were made from the same one.
///
/// Members of objects are joined one by one, lists of things with identifiers (places, overlays, assets) thing by thing;
/// all else is one value. A value that only one side has changed is taken from that side. One that both have changed
/// differently is a conflict, and so is a thing that one side has changed and the other removed.
struct DraftMerge {
  /// A value that both sides have changed differently.
  struct Conflict: Equatable, Sendable {
    /// Where it is: `places/p-1/title`; `~1` stands for a slash in an identifier, `~0` for a tilde.
    var path: String
    /// `nil`: it was not there, or is removed.
    var base: JSONValue?
    var mine: JSONValue?
    var theirs: JSONValue?
  }

  /// Everything joined; where there is a conflict, their value.
  private(set) var result: JSONValue
  private(set) var conflicts: [Conflict] = []

  init(base: JSONValue, mine: JSONValue, theirs: JSONValue) {
    result = .null
    result = merge(base, mine, theirs, "") ?? theirs
  }

  private mutating func merge(
    _ base: JSONValue?,
    _ mine: JSONValue?,
    _ theirs: JSONValue?,
    _ path: String
  ) -> JSONValue? {
    if mine == theirs { return theirs }
    if mine == base { return theirs }
    if theirs == base { return mine }
    switch (base, mine, theirs) {
    case (.object(let old)?, .object(let own)?, .object(let other)?):
      // An object that says what kind it is belongs together: half a picture and half a text is neither.
      if own["kind"] != other["kind"] || own["kind"] != old["kind"] { break }
      return .object(members(old, own, other, path))
    case (nil, .object(let own)?, .object(let other)?) where own["kind"] == other["kind"]:
      return .object(members([:], own, other, path))
    case (.array(let old)?, .array(let own)?, .array(let other)?):
      if let joined = things(old, own, other, path) { return .array(joined) }
    case (nil, .array(let own)?, .array(let other)?):
      if let joined = things([], own, other, path) { return .array(joined) }
    default: break
    }
    conflicts.append(Conflict(path: path, base: base, mine: mine, theirs: theirs))
    return theirs
  }

  private mutating func members(
    _ old: [String: JSONValue],
    _ own: [String: JSONValue],
    _ other: [String: JSONValue],
    _ path: String
  ) -> [String: JSONValue] {
    var result: [String: JSONValue] = [:]
    for name in Set(old.keys).union(own.keys).union(other.keys).sorted() {
      result[name] = merge(old[name], own[name], other[name], path.isEmpty ? name : path + "/" + name)
    }
    return result
  }

  /// Lists of things that all have identifiers, each once; `nil` for other lists.
  private mutating func things(
    _ old: [JSONValue],
    _ own: [JSONValue],
    _ other: [JSONValue],
    _ path: String
  ) -> [JSONValue]? {
    guard let oldByID = Self.byID(old), let ownByID = Self.byID(own), let otherByID = Self.byID(other) else {
      return nil
    }
    // Their order; what is only mine comes after what stands before it here.
    var order = other.compactMap(\.identifier)
    let ownOrder = own.compactMap(\.identifier)
    for (index, id) in ownOrder.enumerated() where otherByID[id] == nil {
      let before = ownOrder[..<index].last { order.contains($0) }
      let place = before.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      order.insert(id, at: place)
    }
    return order.compactMap { id in
      let segment = id.replacing("~", with: "~0").replacing("/", with: "~1")
      return merge(oldByID[id], ownByID[id], otherByID[id], path + "/" + segment)
    }
  }

  private static func byID(_ things: [JSONValue]) -> [String: JSONValue]? {
    var result: [String: JSONValue] = [:]
    for thing in things {
      guard let id = thing.identifier, result.updateValue(thing, forKey: id) == nil else { return nil }
    }
    return result
  }
}
