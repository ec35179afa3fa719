// layout.js, layout-by-need.js and events.js: what the page knows of the engines' memory.

private func constant(_ enumeration: Enumeration) -> String { capitals(enumeration.name) }

/// The words of an enumeration, by its cases' numbers.
private func words(_ list: Enumeration) -> String {
  let items = list.cases.map { "'\($0.page)'" }
  let name = constant(list)
  let kind = "import('./bindings').\(list.name)" + (list.payload == nil ? "" : "['kind']")
  let type = list.isOfDocuments ? "string" : kind
  let short = "export const \(name) = [\(items.joined(separator: ", "))];"
  let body = short.count <= 120 ? short : "export const \(name) = [\n\(filled(items, indent: 2)),\n];"
  return "/** @type {\(type)[]} */\n\(body)\n"
}

/// A column out of memory, in JavaScript; `at` is where the row begins, with a place added.
private func value(_ column: Column, at place: Int) -> String {
  let at = place == 0 ? "p" : "p + \(place)"
  return switch column.kind {
  case .flag: "v[\(at)] !== 0"
  case .index: "v[\(at)] < 0 ? null : v[\(at)]"
  case .numberOrNaN: "Number.isNaN(v[\(at)]) ? null : v[\(at)]"
  case .enumeration(let name): "\(constant(enumeration(name)))[v[\(at)]]"
  case .list(let count): "Array.from(v.subarray(\(at), p + \(place + count)))"
  default: "v[\(at)]"
  }
}

private func places(_ row: Row) -> String {
  let items = row.places.compactMap { column, at -> String? in
    if case .unused = column.kind { return nil }
    return "\(column.name): \(at)"
  }
  return "export const \(capitals(row.name)) = {\n" + filled(["length: \(row.length)"] + items, indent: 2) + ",\n};\n"
}

private func filling(_ row: Row) -> String {
  var statements: [String] = []
  var empty: [String] = []
  let hasTable = row.columns.contains { if case .stretch = $0.kind { true } else { false } }
  for (column, at) in row.places {
    switch column.kind {
    case .stretch:
      statements.append("o.\(column.name).length = v[p + \(at + 1)];")
      statements.append(
        "for (let k = 0; k < o.\(column.name).length; k++) o.\(column.name)[k] = v[table + v[p + \(at)] + k];"
      )
      empty.append("\(column.name): []")
    case .bits(let flags, let above):
      for (bit, flag) in flags.enumerated() {
        statements.append("o.\(flag) = (v[p + \(at)] & \(1 << bit)) !== 0;")
        empty.append("\(flag): false")
      }
      if let above {
        statements.append("o.\(column.name) = \(constant(enumeration(above)))[v[p + \(at)] >> \(flags.count)];")
        empty.append("\(column.name): \(constant(enumeration(above)))[0]")
      }
    default:
      statements.append("o.\(column.name) = \(value(column, at: at));")
      empty.append(
        "\(column.name): "
          + {
            switch column.kind {
            case .flag: "false"
            case .index: "null"
            case .enumeration(let name): "\(constant(enumeration(name)))[0]"
            default: "0"
            }
          }()
      )
    }
  }
  let (name, parameters) = (row.name, hasTable ? "v, p, o, table" : "v, p, o")
  let type = "v: Float64Array, p: number, o: import('./bindings').\(name)" + (hasTable ? ", table: number" : "")
  return """
    export const \(capitals(name))_LENGTH = \(row.length);
    /** @returns {import('./bindings').\(name)} */
    export const new\(name) = () => ({
    \(filled(empty, indent: 2)),
    });
    /** @type {(\(type)) => void} */
    export function fill\(name)(\(parameters)) {
    \(statements.map { "  \($0)" }.joined(separator: "\n"))
    }

    """
}

private func making(_ row: Row) -> String {
  let items = row.places.map { "\($0.column.name): \(value($0.column, at: $0.at))" }
  return """
    export const \(capitals(row.name))_LENGTH = \(row.length);
    /** @type {(v: Float64Array, p: number) => import('./bindings').\(row.name)} */
    export const read\(row.name) = (v, p) => ({
    \(filled(items, indent: 2)),
    });

    """
}

private func text(_ row: Row) -> String {
  switch row.page {
  case .places: places(row)
  case .filled: filling(row)
  case .made: making(row)
  }
}

/// Enumerations that only what is fetched by need reads.
private let enumerationsByNeed: Set<String> = ["CodeLevel", "RatingReason", "DisplaySelection"]
/// Enumerations that only models need.
private let enumerationsOfModels: Set<String> = [
  "ModelFault", "ModelPart", "ModelOmission", "ImageEncoding", "AlphaMode",
]
/// Enumerations that no page reads by number.
let enumerationsOfEvents: Set<String> = [
  "NorthReference", "UnavailableReason", "FailureReason", "Body", "RequestEvent", "RequestSource", "AlignmentOutcome",
]
/// Enumerations that are in recordings only.
private let enumerationsUnread: Set<String> = ["AnchorReferenceKind"]

func layoutFile() -> String {
  let shown = enumerations.filter {
    !enumerationsByNeed.contains($0.name) && !enumerationsOfEvents.contains($0.name)
      && !enumerationsUnread.contains($0.name) && !enumerationsOfModels.contains($0.name)
  }
  return """
    // \(notice)
    // Where numbers stand in the engines' memory: v is the memory, p where a row begins, o what is filled.

    /** What the engine files must have been built from. */
    export const BINDINGS_HASH = \(bindingsHash());

    /** @type {(exports: WebAssembly.Exports, name: string) => void} */
    export function checkBindings({ sl_bindings_hash: hash }, name) {
      const found = typeof hash === 'function' ? hash() : 'none';
      if (found === BINDINGS_HASH) return;
      throw new Error(`${name} has bindings ${found}, this page needs ${BINDINGS_HASH}: reload the page`);
    }

    \(shown.map(words).joined())
    \(rows.filter { !$0.isByNeed }.map(text).joined(separator: "\n"))
    """
}

func layoutByNeedFile() -> String {
  """
  // \(notice)
  // As layout.js, for what is fetched by need.

  \(enumerations.filter { enumerationsByNeed.contains($0.name) }.map(words).joined())
  \(rows.filter(\.isByNeed).map(text).joined(separator: "\n"))
  """
}

func layoutOfModelsFile() -> String {
  """
  // \(notice)
  // As layout.js, for models.

  \(enumerations.filter { enumerationsOfModels.contains($0.name) }.map(words).joined())
  """
}

// MARK: Events and effects

/// A word of an enumeration in the page; where the page may leave it out, that of its fallback.
func orFallback(_ value: String, _ field: Field, _ list: Enumeration) -> String {
  let fallback = list.cases.first { $0.swift == list.fallback }?.page
  return field.isOptional ? "\(value) ?? '\(fallback ?? "")'" : value
}

/// A field of an event as arguments of a call.
private func arguments(_ field: Field, of object: String) -> [String] {
  let at = "\(object).\(field.name)"
  return switch field.kind {
  case .number, .degrees, .integer, .identifier: [at]
  case .numberOrNaN, .numberOrNothing: ["\(at) ?? NaN"]
  case .indexOrNone, .identifierOrNone: ["\(at) ?? -1"]
  case .flag: ["\(at) ? 1 : 0"]
  case .bits: ["low(\(at))", "low(\(at) >> 32n)"]
  case .enumeration(let name): ["\(constant(enumeration(name))).indexOf(\(orFallback(at, field, enumeration(name))))"]
  case .choice(let name):
    ["\(constant(enumeration(name))).indexOf(\(at).kind)", carried(enumeration(name), of: at)]
  case .vector: ["...\(at)"]
  case .vectorOrNone: ["x", "y", "z"].map { "\(at)?.\($0) ?? NaN" }
  }
}

/// The number that a choice carries, in JavaScript.
func carried(_ choice: Enumeration, of object: String) -> String {
  let none = choice.payload?.none ?? 0
  return choice.cases.reversed().reduce("\(none)") { rest, item in
    item.payload.map { "\(object).kind === '\(item.page)' ? \(object).\($0) : \(rest)" } ?? rest
  }
}

private func telling(_ event: Event) -> String {
  if case .hand = event.part {
    return "    case '\(event.name)': return tell\(event.name.capitalizedFirst)(call, room, event, time);\n"
  }
  let object = event.object.map { "event.\($0.name)" } ?? "event"
  let items = ["time"] + event.fields.flatMap { arguments($0, of: object) }
  let short = "    case '\(event.name)': return void call.\(event.export)(\(items.joined(separator: ", ")));\n"
  if short.count <= 121 { return short }
  return "    case '\(event.name)':\n      return void call.\(event.export)(\n\(filled(items, indent: 8)));\n"
}

/// The value of an effect's field, and how many numbers it is of.
private func answered(_ field: Field, at place: Int) -> (text: String, width: Int) {
  let at = "at(\(place))"
  return switch field.kind {
  case .indexOrNone, .identifierOrNone: ("\(at) < 0 ? null : \(at)", 1)
  case .flag: ("\(at) !== 0", 1)
  case .enumeration(let name): ("\(constant(enumeration(name)))[\(at)]", 1)
  case .choice(let name): ("\(name.lowercasedFirst)(\(at), at(\(place + 1)))", 2)
  default: (at, 1)
  }
}

private func reading(_ effect: Effect, number: Int) -> String {
  var (place, places, items) = (0, [String: Int](), [String]())
  let conditions = Set(effect.fields.compactMap(\.condition))
  for field in effect.fields {
    let (text, width) = answered(field, at: place)
    places[field.name] = place
    if let condition = field.condition {
      items.append("\(field.name): at(\(places[condition] ?? 0)) ? \(text) : null")
    } else if !conditions.contains(field.name) {
      items.append("\(field.name): \(text)")
    }
    place += width
  }
  let head = "    case \(number): return { type: '\(effect.name)', "
  if let object = effect.object {
    return head + "\(object.name): {\n\(filled(items, indent: 6)),\n    } };\n"
  }
  let short = head + items.joined(separator: ", ") + " };\n"
  return short.count <= 121 ? short : "\(head.dropLast())\n\(filled(items, indent: 6)),\n    };\n"
}

/// Makes what a choice is in the page of its two numbers.
private func chooser(_ choice: Enumeration) -> String {
  let carrying = choice.cases.filter { $0.payload != nil }
  let tests = carrying.map { "kind === '\($0.page)' ? { kind, \($0.payload ?? ""): value } : " }
  return """
    /** @type {(number: number, value: number) => import('./bindings').\(choice.name)} */
    const \(choice.name.lowercasedFirst) = (number, value) => {
      const kind = \(constant(choice))[number];
      return \(tests.joined()){ kind };
    };

    """
}

func eventsFile() -> String {
  let told = events.filter(\.isOfPage)
  var imports: [String: [String]] = [:]
  for event in told {
    if case .hand(let module?, _) = event.part {
      imports[module, default: []].append("tell\(event.name.capitalizedFirst)")
    }
  }
  let names = imports.keys.sorted().map { "import { \((imports[$0] ?? []).joined(separator: ", ")) } from '\($0)';" }
  let lists = enumerations.filter { enumerationsOfEvents.contains($0.name) }
  let ofLayout = enumerations.filter { list in
    !enumerationsOfEvents.contains(list.name)
      && told.contains { $0.fields.contains { if case .enumeration(list.name) = $0.kind { true } else { false } } }
  }
  let chosen = lists.filter { list in
    effects.contains { $0.fields.contains { if case .choice(list.name) = $0.kind { true } else { false } } }
  }
  return """
    // \(notice)
    // The session's events into calls of the engine, and its effects out of numbers.

    \(names.joined(separator: "\n"))
    import { \(ofLayout.map(constant).joined(separator: ", ")) } from './layout.js';

    \(lists.map(words).joined())
    const low = (/** @type {bigint} */ mask) => Number(BigInt.asIntN(32, mask));
    \(chosen.map(chooser).joined())
    /**
     * @param {Record<string, (...values: number[]) => number>} call the engine's functions
     * @param {(address: number, count: number) => Float64Array} room its memory
     * @param {import('./types').EngineEvent} event
     * @param {number} time seconds
     */
    export function tell(call, room, event, time) {
      switch (event.type) {
    \(told.map(telling).joined())\
        default: throw new TypeError(`no such event: ${JSON.stringify(event)}`);
      }
    }

    /**
     * @param {number} kind 0 is none
     * @param {(k: number) => number} at the effect's values
     * @returns {import('./types').EngineEffect | null}
     */
    export function readEffect(kind, at) {
      switch (kind) {
    \(effects.enumerated().map { reading($1, number: $0 + 1) }.joined())\
        default: return null;
      }
    }

    """
}
