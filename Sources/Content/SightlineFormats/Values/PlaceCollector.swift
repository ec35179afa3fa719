import SightlineContent
import SightlineInput

/// What the readers of formats of places have in common: findings, identifiers, values, what was passed over.
struct PlaceCollector {
  let options: ReadingOptions
  /// Prefix of derived identifiers.
  let prefix: String
  let problems: ProblemList
  private var identifiers = IdentifierRegister()
  private var ignored: [String: (count: Int, line: Int, path: DocumentPath)] = [:]
  private(set) var places: [Place] = []
  private var register = AssetRegister()

  /// Files of the places' pictures and models.
  var assets: [Asset] { register.assets }

  init(prefix: String, options: ReadingOptions, budget: ReadingBudget) {
    self.prefix = prefix
    self.options = options
    problems = ProblemList(budget: budget)
  }

  /// Whether the budget still holds something, so that reading goes on.
  var goesOn: Bool { problems.goesOn }

  /// Takes a place under its own identifier, or under a derived one when it has none or another place has it.
  ///
  /// It is not taken when the budget does not hold so much.
  mutating func take(_ place: Place, id: String?, line: Int, path: DocumentPath) {
    var place = place
    let derived = StableIdentifier.make(prefix: prefix, name: place.title, position: place.position)
    if let id, let earlier = identifiers.take(id, line: line) {
      place.id = identifiers.unique(derived)
      problems.add(
        .error,
        "id.duplicate",
        line: line,
        path: path,
        "The id \(quoted(id)) is already that of \(earlier > 0 ? "the place in line \(earlier)" : "another place"); this "
          + "place is kept under another one. Make ids differ."
      )
    } else {
      place.id = id ?? identifiers.unique(derived)
    }
    if let position = place.position { problems.checkZero(position, line: line, path: path) }
    if problems.admit(&place, line: line, path: path) { places.append(place) }
  }

  /// Changes the places from one on, by what only those that came later say of them.
  mutating func change(from first: Int, _ change: (inout Place) -> Void) {
    for index in places.indices.dropFirst(first) { change(&places[index]) }
  }

  /// The identifier of the file at an address, among ``assets``.
  mutating func asset(_ address: String, format: String?, line: Int, path: DocumentPath) -> String {
    register.id(of: address, format: format, line: line, path: path, problems)
  }

  /// Counts something that the format does not have, or that is not read.
  mutating func ignore(_ name: String, line: Int, path: @autoclosure () -> DocumentPath) {
    guard let index = ignored.index(forKey: name) else {
      ignored[name] = (1, line, path())
      return
    }
    ignored.values[index].count += 1
  }

  /// All findings, with those of what was passed over.
  mutating func finish() -> [Problem] {
    for (name, use) in ignored.sorted(by: { $0.key < $1.key }) {
      problems.add(
        .info,
        "extension.ignored",
        line: use.line,
        path: use.path,
        "\(quoted(name)) is not read and is ignored with its content, \(use.count == 1 ? "once" : "\(use.count) times")."
      )
    }
    return problems.sorted()
  }

  /// Notes the members of an object that are not known.
  mutating func noteMembers(of node: JSONNode, known: Set<String>, path: DocumentPath) {
    guard case .object(let members) = node.value else { return }
    for member in members where !known.contains(member.name) {
      ignore(member.name, line: member.value.line, path: path.child(member.name))
    }
  }

  /// A number that may be written as text; `nil` after a report when it is neither, or missing.
  mutating func number(_ name: String, of node: JSONNode, path: DocumentPath, consequence: String) -> Double? {
    guard let value = node[name], value.value != .null else {
      problems.add(
        .error,
        "field.missing",
        line: node.line,
        path: path.child(name),
        "\(name) is missing. \(consequence); add it."
      )
      return nil
    }
    if let number = value.decimal { return number }
    problems.add(
      .error,
      "field.type",
      line: value.line,
      path: path.child(name),
      "\(name) is \(quoted(value.text(limit: 200))), but must be a decimal number. \(consequence); correct it."
    )
    return nil
  }

  /// A number above 0 that need not be there.
  mutating func positive(_ name: String, of node: JSONNode, path: DocumentPath) -> Double? {
    guard let value = node[name], value.value != .null else { return nil }
    if let number = value.decimal, number >= 0 { return number > 0 ? number : nil }
    problems.add(
      .warning,
      "field.type",
      line: value.line,
      path: path.child(name),
      "\(name) is \(quoted(value.text(limit: 200))), but must be a number of 0 or more. It is ignored; correct it."
    )
    return nil
  }

  /// A text that is not blank; numbers are taken as text.
  func text(_ name: String, of node: JSONNode) -> String? {
    node[name]?.plain
  }

  /// A position; `nil` after a report when it cannot be one.
  mutating func position(
    latitude: Double,
    longitude: Double,
    altitude: Double?,
    line: Int,
    path: DocumentPath
  ) -> Position? {
    guard problems.checkRange(latitude: latitude, longitude: longitude, line: line, path: path) else { return nil }
    return Position(latitude: latitude, longitude: longitude, altitude: altitude)
  }

  /// An address that may be used; `nil` when there is none, or after a report.
  mutating func address(_ text: String?, isLink: Bool, line: Int, path: DocumentPath) -> String? {
    text.flatMap { problems.usableURL($0, isLink: isLink, base: options.baseURL, line: line, path: path) }
  }
}

extension JSONNode {
  /// Text that is not blank, trimmed; a number is taken as text.
  var plain: String? {
    switch value {
    case .string(let text) where !text.isBlank: text.trimmed
    case .number(_, let text): text
    default: nil
    }
  }

  /// The value as a number, also when it is written as text.
  var decimal: Double? {
    switch value {
    case .number(let number, _): number
    case .string(let text): DecimalNumber.parse(text.trimmed)
    default: nil
    }
  }
}

extension Place {
  /// What a tap leads to, where a format has one address: the link, or else the page of the action.
  var webAddress: String? {
    if let link { return link }
    if case .webPage(let url)? = action { return url }
    return nil
  }
}
