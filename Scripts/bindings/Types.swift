// bindings.d.ts: the types of events, effects, rows and enumerations.

private func type(of list: Enumeration) -> String {
  let head = list.note.isEmpty ? "" : documented(list.note) + "\n"
  var items = list.cases.map { "'\($0.page)'" }
  if list.payload != nil {
    items = list.cases.map { item in
      item.payload.map { "{ kind: '\(item.page)'; \($0): number }" } ?? "{ kind: '\(item.page)' }"
    }
  }
  let short = "export type \(list.name) = \(items.joined(separator: " | "));"
  if short.count <= 120 { return head + short + "\n" }
  return head + "export type \(list.name) =\n"
    + filled(items, indent: 2).replacing(", ", with: " | ").replacing(",\n", with: "\n")
    .split(separator: "\n").map { "  | " + $0.dropFirst(2) }.joined(separator: "\n") + ";\n"
}

private func type(of field: Field) -> String {
  switch field.kind {
  case .number, .degrees, .integer, .identifier: "number"
  case .numberOrNaN, .numberOrNothing, .indexOrNone, .identifierOrNone: "number | null"
  case .flag: "boolean"
  case .bits: "bigint"
  case .enumeration(let name), .choice(let name): name
  case .vector: "[number, number, number]"
  case .vectorOrNone: "Vector | null"
  }
}

private func members(_ fields: [Field]) -> [String] {
  let conditions = Set(fields.compactMap(\.condition))
  return fields.filter { !conditions.contains($0.name) }.map { field in
    let note = field.note.isEmpty ? "" : "/** \(field.note) */ "
    let kind = type(of: field) + (field.condition == nil ? "" : " | null")
    return "\(note)\(field.name)\(field.isOptional ? "?" : ""): \(kind)"
  }
}

private func alternative(_ event: Event) -> String {
  let text: String
  switch event.part {
  case .hand(_, let type) where type.hasPrefix("&"):
    text = "({ type: '\(event.name)' } & \(type.dropFirst()))"
  case .hand(_, let type): text = "{ type: '\(event.name)'; \(type) }"
  case .fields:
    let inside = event.object.map { ["\($0.name): \($0.type)"] } ?? members(event.fields)
    let short = "{ type: '\(event.name)'; \(inside.joined(separator: "; ")) }"
    text =
      event.fields.isEmpty
      ? "{ type: '\(event.name)' }"
      : short.count <= 114
        ? short : "{\n      type: '\(event.name)';\n\(inside.map { "      \($0);" }.joined(separator: "\n"))\n    }"
  }
  return documented(event.note, indent: 2) + "\n  | \(text)\n"
}

private func alternative(_ effect: Effect) -> String {
  let inside = effect.object.map { ["\($0.name): \($0.type)"] } ?? members(effect.fields)
  let note = effect.note.isEmpty || effect.object != nil ? "" : documented(effect.note, indent: 2) + "\n"
  return note + "  | { type: '\(effect.name)'; \(inside.joined(separator: "; ")) }\n"
}

private func interface(_ row: Row) -> String {
  let items = row.columns.flatMap { column -> [String] in
    let name = column.name
    return switch column.kind {
    case .flag: ["\(name): boolean"]
    case .index, .numberOrNaN: ["\(name): number | null"]
    case .enumeration(let type): ["\(name): \(type)"]
    case .list(let count): ["\(name): [\([String](repeating: "number", count: count).joined(separator: ", "))]"]
    case .stretch: ["\(name): number[]"]
    case .bits(let flags, let above): flags.map { "\($0): boolean" } + (above.map { ["\(name): \($0)"] } ?? [])
    default: ["\(name): number"]
    }
  }
  let head = row.note.isEmpty ? "" : documented(row.note) + "\n"
  return head + "export interface \(row.name) {\n"
    + filled(items.map { $0.replacing(", ", with: "\u{1}") }, indent: 2).replacing(", ", with: "; ")
    .replacing(",\n", with: ";\n").replacing("\u{1}", with: ", ") + ";\n}\n"
}

func typesFile() -> String {
  let objects = effects.compactMap { effect in
    effect.object.map { object in
      (effect.note.isEmpty ? "" : documented(effect.note) + "\n") + "export interface \(object.type) {\n"
        + members(effect.fields).map { "  \($0);\n" }.joined() + "}\n"
    }
  }
  return """
    // \(notice)
    // What crosses between the page and the engine. Angles are radians unless a name or a note says degrees; screen coordinates are
    // CSS pixels, x right, y down; times are seconds on one monotonic clock.

    /** On the display, CSS pixels. */
    export interface Rectangle { x: number; y: number; width: number; height: number }
    export interface Vector { x: number; y: number; z: number }

    \(enumerations.map(type(of:)).joined())
    \(rows.filter { if case .places = $0.page { false } else { true } }.map(interface).joined())
    /** What the page tells the session. */
    export type EngineEvent =
    \(events.filter(\.isOfPage).map(alternative).joined().trimmingEnd);

    \(objects.joined())
    /** What the session wants its page to do. */
    export type EngineEffect =
    \(effects.map(alternative).joined().trimmingEnd);

    """
}

extension String {
  fileprivate var trimmingEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
