/// What both sides of the bindings must agree on: names, numbers, kinds and orders, without notes and without what Swift calls them.
private func canonical() -> String {
  var lines: [String] = []
  for list in enumerations {
    let cases = list.cases.map { "\($0.page):\($0.payload ?? "")" }.joined(separator: ",")
    let kind = list.isOptions ? "options" : "enumeration"
    lines.append("\(kind) \(list.name) \(list.payload?.none ?? 0) \(cases)")
  }
  for event in events {
    let fields = event.fields.map { "\($0.name):\($0.kind):\($0.isOptional):\($0.isLate)" }.joined(separator: ",")
    lines.append("event \(event.name) \(event.chunk.number) \(event.export) \(event.condition ?? "") \(fields)")
    if case .hand(_, let type) = event.part { lines.append("  by hand \(type)") }
  }
  for effect in effects {
    lines.append("effect \(effect.name) \(effect.fields.map { "\($0.name):\($0.kind)" }.joined(separator: ","))")
  }
  for row in rows {
    lines.append("row \(row.name) \(row.columns.map { "\($0.name):\($0.kind)" }.joined(separator: ","))")
  }
  for chunk in chunks { lines.append("chunk \(chunk.name) \(chunk.number)") }
  return lines.joined(separator: "\n")
}

/// FNV-1a of the description (Fowler, Noll and Vo), the lower 52 bits, so that it is a whole number in JavaScript too.
func bindingsHash() -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in canonical().utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return hash & 0xF_FFFF_FFFF_FFFF
}
