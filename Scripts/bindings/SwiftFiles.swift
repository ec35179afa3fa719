// What is written for Swift: rows, events and effects of the WebAssembly exports, and a test of the enumerations.

private func rowName(_ row: Row) -> String { row.name.hasSuffix("Row") ? row.name : row.name + "Row" }

private func places(_ row: Row) -> String {
  let isShared = row.module == "SightlineWasmMemory"
  var items = [(name: "length", at: row.length, note: "Numbers of a row.")]
  if row.hasPlaces {
    items += row.places.map { column, at in
      (column.name, at, column.note.isEmpty ? "Place of the column." : column.note)
    }
  }
  let lines = items.map { item in
    isShared
      ? "  /// \(item.note)\n  @inlinable public static var \(item.name): Int { \(item.at) }\n"
      : "  static let \(item.name) = \(item.at)\n"
  }
  let head = row.note.isEmpty ? "" : swiftDocumented(row.note.capitalizedFirst) + "\n"
  return head + (isShared ? "public " : "") + "enum \(rowName(row)) {\n\(lines.joined())}\n\n"
}

private func statements(_ column: Column) -> [String] {
  let expression = column.swift[0]
  switch column.kind {
  case .number, .flag: return ["out.put(\(expression))"]
  case .index: return ["out.put(\(expression) ?? -1)"]
  case .numberOrNaN: return ["out.put(\(expression) ?? .nan)"]
  case .enumeration: return ["out.put(Int32(\(expression).rawValue))"]
  case .row: return ["\(expression).write(to: &out)"]
  case .stretch: return ["out.put(\(expression).lowerBound)", "out.put(\(expression).count)"]
  case .anchor: return ["ObservationRow.write(\(expression), to: &out)"]
  case .unused(let count): return ["for _ in 0..<\(count) { out.put(0 as Int32) }"]
  case .list(let count):
    return column.swift.count > 1
      ? column.swift.map { "out.put(\($0))" }
      : ["for k in 0..<\(count) { out.put(\(expression.replacing("$k", with: "k"))) }"]
  case .bits(let flags, let above):
    let parts = flags.enumerated().map { "if \($1) { bits |= \(1 << $0) }" }
    let top = above == nil ? "0" : "Int(\(expression).rawValue) << \(flags.count)"
    return ["var bits = \(top)"] + parts + ["out.put(bits)"]
  }
}

private func writing(_ row: Row) -> String {
  guard let type = row.writer else { return "" }
  let access = row.module == "SightlineWasmMemory" ? "public " : ""
  let lines = row.prelude + row.columns.flatMap(statements)
  return """
    extension \(type) {
      /// Writes it as the row ``\(rowName(row))``.
      \(access)func write(to out: inout Writer) {
    \(lines.map { "    \($0)\n" }.joined())  }
    }


    """
}

private func imports(_ names: [String]) -> String { names.map { "import \($0)\n" }.joined() }

func rowsFile(module: String, importing modules: [String]) -> String {
  let own = rows.filter { $0.module == module }
  return
    "// \(notice)\n\n\(imports(modules))\n// Rows of numbers in memory.\n\n\(own.map { places($0) + writing($0) }.joined())"
}

func sharedFile() -> String {
  """
  // \(notice)

  import SightlineCamera
  import SightlineMath

  /// What this file was built from.
  ///
  /// The page refuses another, see `BINDINGS_HASH` in `WebClient/engine/layout.js`.
  @_expose(wasm) @c public func sl_bindings_hash() -> Double { \(bindingsHash()) }

  \(rows.filter { $0.module == "SightlineWasmMemory" }.map { places($0) + writing($0) }.joined())
  """
}

// MARK: Enumerations

/// The numbers of a choice both ways.
func choosing(_ list: Enumeration) -> String {
  guard let payload = list.payload else { return "" }
  var (out, back) = ("", "")
  for (number, item) in list.cases.enumerated() {
    if item.payload == nil {
      out += "    case .\(item.swift): (\(number), \(payload.none))\n"
      back += "    case \(number): self = .\(item.swift)\n"
    } else {
      out += "    case .\(item.swift)(let value): (\(number), \(payload.number.replacing("$", with: "value")))\n"
      let guarded = payload.make == "$" ? "" : " where value >= 0"
      back += "    case \(number)\(guarded): self = .\(item.swift)(\(payload.make.replacing("$", with: "value")))\n"
    }
  }
  return """
    extension \(list.swift) {
      /// The number of the case and what it carries.
      var numbers: (kind: Int32, value: Int32) {
        switch self {
    \(out)    }
      }

      /// A case of its number; `nil` when there is none.
      init?(kind: Int32, value: Int32) {
        switch kind {
    \(back)    default: return nil
        }
      }
    }


    """
}

func testFile() -> String {
  let options = enumerations.filter(\.isOptions)
  let plain = enumerations.filter { $0.payload == nil && !$0.isOptions }
  let checks = plain.map { list in
    "    for value in [\(list.cases.map { "\(list.swift).\($0.swift)" }.joined(separator: ", "))] {\n"
      + "      #expect(Int(value.rawValue) == number(of: value))\n    }\n"
  }
  let numbers = plain.map { list in
    "private func number(of value: \(list.swift)) -> Int {\n  switch value {\n"
      + list.cases.enumerated().map { "  case .\($1.swift): \($0)\n" }.joined() + "  }\n}\n\n"
  }
  let bits = options.map { list in
    "    for (bit, value) in [\(list.cases.map { "\(list.swift).\($0.swift)" }.joined(separator: ", "))].enumerated() {\n"
      + "      #expect(Int(value.rawValue) == 1 << bit)\n    }\n"
  }
  let modules = (Set((plain + options).map(\.module)).sorted() + ["Testing"]).sorted()
  return """
    // \(notice)

    \(imports(modules))
    /// That the engine's enumerations have the cases and numbers that the page knows.
    @Suite struct BindingsTests {
      @Test func `enumerations have the numbers of the description`() {
    \(checks.joined())  }

      @Test func `options have the bits of the description`() {
    \(bits.joined())  }
    }

    \(numbers.joined())
    """
}

// MARK: Events

/// Parameters of a field in WebAssembly.
private func parameters(_ field: Field) -> [String] {
  let name = field.name
  return switch field.kind {
  case .number, .numberOrNaN, .numberOrNothing, .degrees: ["\(name): Double"]
  case .integer, .indexOrNone, .identifier, .identifierOrNone, .flag, .enumeration: ["\(name): Int32"]
  case .bits: ["\(name)Low: Int32", "\(name)High: Int32"]
  case .choice: ["\(name): Int32", "\(name)Value: Int32"]
  case .vector, .vectorOrNone: ["X", "Y", "Z"].map { "\(name)\($0): Double" }
  }
}

/// A field's value out of its parameters.
private func crossed(_ field: Field) -> String {
  let name = field.name
  return switch field.kind {
  case .number, .numberOrNothing, .integer: name
  case .numberOrNaN: "\(name).isNaN ? nil : \(name)"
  case .degrees: "Angle(degrees: \(name))"
  case .indexOrNone: "\(name) < 0 ? nil : \(name)"
  case .identifier(let type): "\(type)(\(name))"
  case .identifierOrNone(let type): "\(name) < 0 ? nil : \(type)(\(name))"
  case .flag: "\(name) != 0"
  case .bits: "UInt64(UInt32(bitPattern: \(name)High)) << 32 | UInt64(UInt32(bitPattern: \(name)Low))"
  case .enumeration(let list): "\(list.lowercasedFirst)Of(\(name))"
  case .choice(let list):
    "\(enumeration(list).swift)(kind: \(name), value: \(name)Value) ?? .\(enumeration(list).fallback ?? "")"
  case .vector: "Vector3(\(name)X, \(name)Y, \(name)Z)"
  case .vectorOrNone: "vector(\(name)X, \(name)Y, \(name)Z)"
  }
}

/// A template with its fields' values in it.
func filled(_ template: String, _ event: Event, _ value: (Field) -> String) -> String {
  replaced(template) { name in
    if name == "time" { return "time" }
    guard let field = event.fields.first(where: { $0.name == name }) else {
      fatalError("\(event.name): no field \(name)")
    }
    return value(field)
  }
}

private func export(_ event: Event) -> String {
  let parameters = (["time: Double"] + event.fields.flatMap(parameters)).map { "  _ \($0)" }.joined(separator: ",\n")
  let condition = event.condition.map { "  guard \(filled($0, event, \.name)) else { return }\n" } ?? ""
  return """
    \(swiftDocumented(event.note))
    @_expose(wasm) @c public func \(event.export)(
    \(parameters)
    ) {
    \(condition)  session.handle(\(filled(event.make, event, crossed)), at: time)
    }


    """
}

private let displayPointHelper = """
  /// A point of the display; `nil` is its centre.
  private func displayPoint(_ x: Double, _ y: Double) -> Vector2? {
    x.isFinite && y.isFinite ? Vector2(x, y) : nil
  }


  """

/// The events' functions of a module; `names`: of these alone, `nil`: of all, and with them the choices of effects.
func exportsFile(of names: Set<String>? = nil, importing modules: [String]) -> String {
  let own = events.filter {
    guard case .fields = $0.part, $0.isOfPage else { return false }
    return names?.contains($0.name) ?? true
  }
  let used = enumerations.filter { list in
    own.contains { $0.fields.contains { if case .enumeration(list.name) = $0.kind { true } else { false } } }
  }
  let helpers = used.map { list in
    "private func \(list.name.lowercasedFirst)Of(_ value: Int32) -> \(list.swift) {\n"
      + "  UInt8(exactly: value).flatMap { \(list.swift)(rawValue: $0) } ?? .\(list.fallback ?? "")\n}\n\n"
  }
  return """
    // \(notice)

    \(imports(modules))
    // One function for each event of the session; the first argument is its time. An unknown value of an enumeration is taken
    // as its most cautious case, a number below 0 as "none", NaN as "not known".

    \(own.map(export).joined())
    private func vector(_ x: Double, _ y: Double, _ z: Double) -> Vector3? {
      x.isFinite && y.isFinite && z.isFinite ? Vector3(x, y, z) : nil
    }

    \(names == nil ? displayPointHelper : "")\(helpers.joined())\(names == nil ? "// MARK: Choices\n\n" + enumerations.map(choosing).joined() : "")
    """
}

// MARK: Effects

private func statements(_ field: Field) -> [String] {
  let value = field.swift
  return switch field.kind {
  case .identifier: ["out.put(\(value).rawValue)"]
  case .identifierOrNone: ["out.put(\(value)?.rawValue ?? -1)"]
  case .indexOrNone: ["out.put(\(value) ?? -1)"]
  case .degrees: ["out.put(\(value).degrees)"]
  case .enumeration: ["out.put(Int32(\(value).rawValue))"]
  case .choice: ["out.put(\(value).numbers.kind)", "out.put(\(value).numbers.value)"]
  default: ["out.put(\(value))"]
  }
}

func effectsFile() -> String {
  let cases = effects.enumerated().map { index, effect in
    "  case \(effect.pattern):\n" + effect.fields.flatMap(statements).map { "    \($0)\n" }.joined()
      + "    return \(index + 1)\n"
  }
  let most = effects.map { $0.fields.count + $0.fields.count { if case .choice = $0.kind { true } else { false } } }
    .max()
  return """
    // \(notice)

    import SightlineEngine
    import SightlineMath
    import SightlineScene
    import SightlineWasmMemory

    // Effects as numbers: the kind is the function's answer, its values are at `sl_effect_values`.

    // One thread enters the instance, see Host.swift.
    nonisolated(unsafe) private let values = UnsafeMutablePointer<Double>.allocate(capacity: \(most ?? 1))

    /// Where the values of the last effect are.
    @_expose(wasm) @c public func sl_effect_values() -> UnsafeMutablePointer<Double> { values }

    /// Takes the next effect; answers its number, 0 for none.
    @_expose(wasm) @c public func sl_next_effect() -> Int32 {
      var out = Writer(values)
      switch session.nextEffect() {
      case nil: return 0
    \(cases.joined())  }
    }

    """
}
