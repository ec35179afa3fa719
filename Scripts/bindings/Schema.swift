// What the description of the bindings is made of; the description itself is Enumerations.swift, Rows.swift and Events.swift.

/// An enumeration that crosses as a number.
struct Enumeration {
  /// A case: its name in Swift, and its word in the page.
  struct Case {
    var swift: String
    var page: String
    /// What a case carries in the choices of ``Enumeration/payload``; `nil` for nothing.
    var payload: String?
  }

  /// What cases carry: a whole number, which is `none` where there is nothing.
  struct Payload {
    /// How the number becomes what Swift has: `$` stands for it.
    var make = "$"
    /// The number of what Swift has.
    var number = "$"
    /// The number of a case that carries nothing.
    var none = 0
  }

  /// The type in TypeScript, and in Swift unless ``swift`` is another.
  var name: String
  var swift: String
  /// The Swift module that has the type.
  var module: String
  /// The case that a number without a meaning is taken as, when the page hands it over; in a recording it means a later version.
  var fallback: String?
  var payload: Payload?
  var cases: [Case]
  /// Whether the page's words come from documents too: they are any text until they are looked up.
  var isOfDocuments: Bool
  /// Whether it is a set of options: the number of a case is that of its bit.
  var isOptions: Bool
  var note: String

  /// `words` has one for each case: `swift=page` where the page has another (an empty one for nothing), `swift(name)` where the
  /// case carries a number of that name.
  init(
    _ name: String,
    swift: String? = nil,
    module: String,
    fallback: String? = nil,
    payload: Payload? = nil,
    isOfDocuments: Bool = false,
    isOptions: Bool = false,
    _ words: [String],
    note: String = ""
  ) {
    (self.name, self.swift, self.module, self.fallback) = (name, swift ?? name, module, fallback)
    (self.payload, self.isOfDocuments, self.isOptions, self.note) = (payload, isOfDocuments, isOptions, note)
    cases = words.map { word in
      let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      let head = parts[0].split(whereSeparator: { "()".contains($0) }).map(String.init)
      return Case(swift: head[0], page: parts.count > 1 ? parts[1] : head[0], payload: head.count > 1 ? head[1] : nil)
    }
  }
}

/// What a field of an event or an effect is: how it crosses into WebAssembly, and how a recording keeps it (little-endian).
enum Kind {
  /// A `Double`; 64 bits.
  case number
  /// A `Double?` that crosses as NaN; 64 bits.
  case numberOrNaN
  /// A `Double` that is NaN where the page has nothing; 64 bits.
  case numberOrNothing
  /// An `Angle`: degrees in the page and when it crosses, radians in a recording; 64 bits.
  case degrees
  /// An `Int32`; 32 bits.
  case integer
  /// An `Int32?` that crosses as −1; 32 bits.
  case indexOrNone
  /// A number with a type of its own, by its name; 32 bits.
  case identifier(String)
  /// As ``identifier(_:)``, −1 for none.
  case identifierOrNone(String)
  /// A `Bool`; 8 bits.
  case flag
  /// 64 bits.
  case bits
  /// An enumeration by its name; 8 bits.
  case enumeration(String)
  /// An enumeration whose cases carry a number; 8 and 32 bits.
  case choice(String)
  /// A `Vector3`: in the page a list of three; 3 × 64 bits.
  case vector
  /// A `Vector3?`: crosses as three NaN; a recording has a byte first, whose bits say which of them follow.
  case vectorOrNone
}

/// A field of an event or an effect.
struct Field {
  /// Its name in the page.
  var name: String
  var kind: Kind
  /// What is put down of it in Swift, of the names that the event's pattern binds.
  var swift: String
  /// Whether the page may leave it out.
  var isOptional: Bool
  /// Whether recordings of earlier versions may end before it.
  var isLate: Bool
  /// Name of the field it belongs to, where that says whether there is a value: it is `null` without.
  var condition: String?
  var note: String

  init(
    _ name: String,
    _ kind: Kind,
    swift: String? = nil,
    isOptional: Bool = false,
    isLate: Bool = false,
    if condition: String? = nil,
    note: String = ""
  ) {
    (self.name, self.kind, self.swift, self.isOptional) = (name, kind, swift ?? name, isOptional)
    (self.isLate, self.condition, self.note) = (isLate, condition, note)
  }
}

/// Something that the page tells the session.
struct Event {
  /// How much of an event is written by hand.
  enum Part {
    /// Nothing.
    case fields
    /// Both ways, for lists and what comes in parts: the engine's module that tells it, if there is one, and TypeScript's members.
    case hand(page: String?, type: String)
  }

  /// Its `type` in the page, and after `sl_` in WebAssembly unless ``export`` is another.
  var name: String
  /// Kind of its chunk in a recording: number, and name in Swift.
  var chunk: (number: Int, name: String)
  var export: String
  var fields: [Field]
  /// The event in Swift: `$name` stands for the field's value, `$time` for the event's time.
  var make: String
  /// A pattern of the event in Swift that binds what the fields are put down of.
  var pattern: String
  /// What a recording reads it as, when that is not the session's event.
  var recorded: String?
  /// What has to hold, or it is none.
  var condition: String?
  /// Whether the page tells it; the others are only in recordings of Swift programs.
  var isOfPage: Bool
  /// Whether Swift writes it; the others are only in the page's recordings.
  var isOfSwift: Bool
  /// The object in the page that has the fields, with its type, when it is not the event itself.
  var object: (name: String, type: String)?
  var part: Part
  var note: String

  init(
    _ name: String,
    chunk: Int,
    named: String? = nil,
    export: String? = nil,
    _ fields: [Field] = [],
    make: String,
    pattern: String? = nil,
    recorded: String? = nil,
    condition: String? = nil,
    isOfPage: Bool = true,
    isOfSwift: Bool = true,
    object: (name: String, type: String)? = nil,
    part: Part = .fields,
    note: String = ""
  ) {
    self.name = name
    self.chunk = (chunk, named ?? name)
    self.export = export ?? "sl_" + snake(name)
    (self.fields, self.make, self.recorded, self.condition) = (fields, make, recorded, condition)
    self.pattern = pattern ?? bound(make)
    (self.isOfPage, self.isOfSwift, self.object, self.part, self.note) = (isOfPage, isOfSwift, object, part, note)
  }
}

/// Something that the session wants its page to do; the number is its place in the list, from 1.
struct Effect {
  var name: String
  var fields: [Field]
  /// A pattern of the effect in Swift that binds what the fields are put down of.
  var pattern: String
  /// The object in the page that has the fields, with its type, when it is not the effect itself.
  var object: (name: String, type: String)?
  var note: String

  init(
    _ name: String,
    _ fields: [Field],
    pattern: String,
    object: (name: String, type: String)? = nil,
    note: String = ""
  ) {
    (self.name, self.fields, self.pattern, self.object, self.note) = (name, fields, pattern, object, note)
  }
}

/// A value of a row.
struct Column {
  enum Kind {
    /// A number of any type; `Float` in Swift needs `Double(…)` around it.
    case number
    case flag
    /// −1 where the page has `null`.
    case index
    /// NaN where the page has `null`.
    case numberOrNaN
    /// Another row.
    case row(String)
    /// First and number of the entries of another table: a list in the page.
    case stretch
    /// Kind and two numbers of an anchor.
    case anchor
    case enumeration(String)
    /// So many numbers, whose Swift is the list of their expressions, or one with `$k`.
    case list(Int)
    /// Flags from bit 0 on, and above them an enumeration.
    case bits(flags: [String], above: String?)
    /// Filled by hand.
    case unused(Int)
  }
  var name: String
  var kind: Kind
  var swift: [String]
  var note: String

  init(_ name: String, _ kind: Kind = .number, _ swift: String..., note: String = "") {
    (self.name, self.kind, self.note) = (name, kind, note)
    self.swift = swift.isEmpty ? [name] : swift
  }

  var width: Int {
    switch kind {
    case .list(let count), .unused(let count): count
    case .row(let name): row(name).length
    case .stretch: 2
    case .anchor: 3
    default: 1
    }
  }
}

/// A row of numbers in an engine's memory.
struct Row {
  /// Who goes by it.
  enum Reader {
    /// A function that fills objects which are used again, and TypeScript's interface.
    case filled
    /// A function that makes an object, and TypeScript's interface.
    case made
    /// Places of its columns, for what reads or writes it by hand.
    case places
  }
  /// Who puts it into memory, or takes it from there, in Swift.
  enum Writer {
    /// A function of this type.
    case extending(String)
    /// By hand, going by the places of its columns.
    case places
    /// A function of this type, and what reads it by the places of its columns.
    case both(String)
  }
  /// The interface in TypeScript; in capitals the places of its columns.
  var name: String
  var swift: Writer
  var page: Reader
  /// The Swift module it is written in.
  var module: String
  var columns: [Column]
  var note: String
  /// Statements before it is written.
  var prelude: [String]
  /// Whether it is read only by what a page fetches when it needs it.
  var isByNeed = false

  init(
    _ name: String,
    _ swift: Writer,
    page: Reader,
    module: String,
    note: String = "",
    prelude: [String] = [],
    _ columns: [Column]
  ) {
    (self.name, self.swift, self.page, self.module) = (name, swift, page, module)
    (self.columns, self.note, self.prelude) = (columns, note, prelude)
  }

  /// The type that has a function for it.
  var writer: String? {
    switch swift {
    case .extending(let type), .both(let type): type
    case .places: nil
    }
  }

  /// Whether something in Swift goes by the places of its columns.
  var hasPlaces: Bool { if case .extending = swift { false } else { true } }

  var length: Int { columns.reduce(0) { $0 + $1.width } }

  /// This row, which only what is fetched by need reads.
  var byNeed: Row {
    var row = self
    row.isByNeed = true
    return row
  }

  /// The columns and where they begin.
  var places: [(column: Column, at: Int)] {
    var at = 0
    return columns.map { column in
      defer { at += column.width }
      return (column, at)
    }
  }
}

/// A chunk of a recording that is no event of the session: it is coded by hand.
struct Chunk {
  var number: Int
  var name: String
  /// Whether the page writes it.
  var isOfPage: Bool
}

/// `openBeside` → `open_beside`.
func snake(_ name: String) -> String {
  var out = ""
  for letter in name {
    if letter.isUppercase { out += "_" }
    out += letter.lowercased()
  }
  return out
}

/// `SceneItem` → `SCENE_ITEM`.
func capitals(_ name: String) -> String {
  let words = snake(name).uppercased()
  return words.hasPrefix("_") ? String(words.dropFirst()) : words
}

/// `.press(feature: $feature)` → `.press(feature: let feature)`.
func bound(_ make: String) -> String {
  make.replacing("$", with: "let ")
}
