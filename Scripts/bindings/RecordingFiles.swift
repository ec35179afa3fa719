// The coder of recordings: in Swift both ways, in the page what it writes.

// MARK: Swift

private func chunkKinds() -> String {
  let all = (events.map { ($0.chunk.number, $0.chunk.name) } + chunks.map { ($0.number, $0.name) }).sorted {
    $0.0 < $1.0
  }
  return """
    /// What a chunk is about.
    enum ChunkKind: UInt16, CaseIterable {
    \(all.map { "  case \($1) = \($0)\n" }.joined())}

    """
}

private func isVectorOrNone(_ field: Field) -> Bool { if case .vectorOrNone = field.kind { true } else { false } }

private func encoding(_ field: Field) -> [String] {
  let value = field.swift
  return switch field.kind {
  case .number, .numberOrNothing, .integer, .flag, .bits: ["out.put(\(value))"]
  case .numberOrNaN: ["out.put(\(value) ?? .nan)"]
  case .degrees: ["out.put(\(value).radians)"]
  case .indexOrNone: ["out.put(\(value) ?? -1)"]
  case .identifier, .enumeration: ["out.put(\(value).rawValue)"]
  case .identifierOrNone: ["out.put(\(value)?.rawValue ?? -1)"]
  case .choice: ["encode(\(value).numbers, &out)"]
  case .vector: ["encode(\(value), &out)"]
  case .vectorOrNone: []
  }
}

/// The names that a pattern binds.
private func names(in pattern: String) -> [String] {
  pattern.split(separator: "let ").dropFirst().map { String($0.prefix { $0.isLetter || $0.isNumber }) }
}

private func encoding(_ event: Event) -> String {
  var lines: [String] = []
  if case .hand = event.part {
    let arguments = names(in: event.pattern) + ["&out"]
    lines.append("encode\(event.name.capitalizedFirst)(\(arguments.joined(separator: ", ")))")
  } else {
    let parts = event.fields.filter(isVectorOrNone).map(\.swift)
    if !parts.isEmpty { lines.append("encode([\(parts.joined(separator: ", "))], &out)") }
    lines += event.fields.flatMap(encoding)
  }
  lines.append("return .\(event.chunk.name)")
  return "    case \(event.pattern):\n" + lines.map { "      \($0)\n" }.joined()
}

/// What reads a field, and the name that it has then.
private func reading(_ field: Field) -> (call: String, name: String) {
  switch field.kind {
  case .number, .numberOrNaN, .numberOrNothing, .degrees: ("source.f64()", field.name)
  case .integer, .indexOrNone, .identifier, .identifierOrNone: ("source.i32()", field.name)
  case .flag: ("source.bool()", field.name)
  case .bits: ("source.u64()", field.name)
  case .enumeration, .choice: ("source.u8()", field.name + "Number")
  case .vector: ("vector(&source)", field.name)
  case .vectorOrNone: ("", field.name)
  }
}

private func decoded(_ field: Field) -> String {
  let name = field.name
  return switch field.kind {
  case .numberOrNaN: "\(name).isNaN ? nil : \(name)"
  case .degrees: "Angle(radians: \(name))"
  case .indexOrNone: "\(name) < 0 ? nil : \(name)"
  case .identifier(let type): "\(type)(\(name))"
  case .identifierOrNone(let type): "\(name) < 0 ? nil : \(type)(\(name))"
  default: name
  }
}

private func decoding(_ event: Event) -> String {
  let head = "    case .\(event.chunk.name):\n"
  if case .hand = event.part { return head + "      return decode\(event.name.capitalizedFirst)(&source)\n" }
  var (needed, late, known) = ([String](), [String](), [String]())
  let parts = event.fields.filter(isVectorOrNone)
  if !parts.isEmpty {
    needed.append("let parts = vectors(\(parts.count), &source)")
    for (index, field) in parts.enumerated() { known.append("let \(field.name) = parts[\(index)]") }
  }
  for field in event.fields where !isVectorOrNone(field) {
    let (call, name) = reading(field)
    if field.isLate {
      let earlier = if case .enumeration = field.kind { "0" } else { ".nan" }
      late.append("let \(name) = \(call) ?? \(earlier)")
    } else {
      needed.append("let \(name) = \(call)")
    }
    switch field.kind {
    case .enumeration(let list):
      known.append("guard let \(field.name) = \(enumeration(list).swift)(rawValue: \(name)) else { return .unknown }")
    case .choice(let list):
      needed.append("let \(field.name)Value = source.i32()")
      known.append(
        "guard let \(field.name) = \(enumeration(list).swift)(kind: Int32(\(name)), value: \(field.name)Value) else "
          + "{ return .unknown }"
      )
    default: break
    }
  }
  var lines: [String] = []
  if !needed.isEmpty { lines.append("guard \(needed.joined(separator: ", ")) else { return .malformed }") }
  if !late.isEmpty { lines.append("// Not in recordings of earlier versions.") }
  lines += late + known
  if let condition = event.condition {
    lines.append("guard \(filled(condition, event, \.name)) else { return .malformed }")
  }
  let made = filled(event.recorded ?? ".session(\(event.make))", event, decoded)
  lines.append("return .event(\(made))")
  return head + lines.map { "      \($0)\n" }.joined()
}

func coderFile() -> String {
  let choices = Set(
    events.flatMap(\.fields).compactMap { if case .choice(let name) = $0.kind { name } else { nil } }
      // Those of a world's places and anchors, which are coded by hand.
      + ["ActionKind", "AnchorReferenceKind"]
  )
  let modules = ["Camera", "Engine", "Fusion", "Geodesy", "Math", "Scene"].map { "import Sightline\($0)\n" }.joined()
  return """
    // \(notice)

    \(modules)
    \(chunkKinds())
    /// The session's events, between themselves and the payloads of chunks.
    extension EventCoding {
      static func encode(_ event: SessionEvent, _ out: inout ByteWriter) -> ChunkKind {
        switch event {
    \(events.filter(\.isOfSwift).map(encoding).joined())    }
      }

      /// The event of a payload, which may be longer than this version knows.
      static func decode(_ kind: ChunkKind, _ source: inout ByteReader, time: Double) -> Decoded {
        switch kind {
    \(events.map(decoding).joined())    case \(chunks.map { ".\($0.name)" }.joined(separator: ", ")):
          return decodeOther(kind, &source)
        }
      }
    }

    // MARK: Choices

    \(enumerations.filter { choices.contains($0.name) }.map(choosing).joined())
    """
}

// MARK: The page

/// What a field is written as: the writer's function and its arguments.
private func written(_ field: Field, of object: String) -> [(call: String, argument: String)] {
  let at = "\(object).\(field.name)"
  return switch field.kind {
  case .number: [("f64", at)]
  case .numberOrNaN, .numberOrNothing: [("f64", "\(at) ?? NaN")]
  case .degrees: [("f64", "toRadians(\(at))")]
  case .integer, .identifier: [("i32", at)]
  case .indexOrNone, .identifierOrNone: [("i32", "\(at) ?? -1")]
  case .flag: [("flag", at)]
  case .bits: [("u64", "BigInt.asUintN(64, \(at))")]
  case .enumeration(let name): [("u8", "\(capitals(name)).indexOf(\(orFallback(at, field, enumeration(name))))")]
  case .choice(let name):
    [("u8", "\(capitals(name)).indexOf(\(at).kind)"), ("i32", carried(enumeration(name), of: at))]
  case .vector: [("f64", "...\(at)")]
  case .vectorOrNone: []
  }
}

private func writing(_ event: Event) -> String {
  if case .hand = event.part {
    return "    case '\(event.name)': return write\(event.name.capitalizedFirst)(event, out);\n"
  }
  let object = event.object.map { "event.\($0.name)" } ?? "event"
  var calls: [(call: String, arguments: [String])] = []
  for (call, argument) in event.fields.flatMap({ written($0, of: object) }) {
    // One call for numbers that follow each other.
    if call == "f64", calls.last?.call == "f64" {
      calls[calls.count - 1].arguments.append(argument)
    } else {
      calls.append((call, [argument]))
    }
  }
  let parts = event.fields.filter(isVectorOrNone).map { "event.\($0.name)" }
  var lines = parts.isEmpty ? [] : ["writeParts([\(parts.joined(separator: ", "))], out);"]
  lines += calls.map { item in
    let short = "out.\(item.call)(\(item.arguments.joined(separator: ", ")));"
    return short.count <= 112 ? short : "out.\(item.call)(\n\(filled(item.arguments, indent: 8)),\n      );"
  }
  guard !lines.isEmpty else { return "    case '\(event.name)': return;\n" }
  lines[lines.count - 1] = "return " + lines[lines.count - 1]
  if lines.count == 1, lines[0].count + event.name.count < 100 { return "    case '\(event.name)': \(lines[0])\n" }
  return "    case '\(event.name)':\n" + lines.map { "      \($0)\n" }.joined()
}

func pageCoderFile() -> String {
  let told = events.filter(\.isOfPage)
  let byHand = told.filter { if case .hand = $0.part { true } else { false } }
  var kinds = chunks.filter(\.isOfPage).map { ($0.name, $0.number) }
  for event in events {
    if event.isOfPage {
      kinds.append((event.name, event.chunk.number))
    } else if case .hand = event.part {
      kinds.append((event.chunk.name, event.chunk.number))
    }
  }
  let numbered = kinds.sorted { $0.1 < $1.1 }.map { "\($0): \($1)" }
  let lists = enumerations.filter { list in
    told.contains {
      $0.fields.contains { field in
        switch field.kind {
        case .enumeration(list.name), .choice(list.name): true
        default: false
        }
      }
    }
  }
  return """
    // \(notice)
    // What a recording has of the session's events (Documentation/recording.md).

    import { toRadians } from '../core/angles.js';
    import { \(lists.filter { enumerationsOfEvents.contains($0.name) }.map { capitals($0.name) }.joined(separator: ", ")) } from '../../engine/events.js';
    import { \(lists.filter { !enumerationsOfEvents.contains($0.name) }.map { capitals($0.name) }.joined(separator: ", ")) } from '../../engine/layout.js';
    import { \((byHand.map { "write\($0.name.capitalizedFirst)" } + ["writeParts"]).joined(separator: ", ")) } from './observations.js';

    export const KIND = /** @type {const} */ ({
    \(filled(numbered, indent: 2)),
    });

    /**
     * The payload of an event's chunk.
     * @param {import('../../engine/types').EngineEvent} event
     * @param {import('./format.js').ByteWriter} out
     * @returns {void}
     */
    export function writeEvent(event, out) {
      switch (event.type) {
    \(told.map(writing).joined())  }
    }

    """
}
