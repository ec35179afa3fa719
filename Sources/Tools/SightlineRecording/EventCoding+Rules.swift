import SightlineScene

/// When visuals of a recorded world are shown, and how large.
extension EventCoding {
  static func encodeRules(of world: WorldDescription, _ out: inout ByteWriter) {
    out.put(UInt32(clamping: world.rules.count))
    for rule in world.rules {
      out.putRecord { record in
        record.put(rule.feature)
        record.put(rule.nearest)
        record.put(rule.scaling?.near ?? 0)
        record.put(rule.scaling?.far ?? 0)
        record.put(rule.scaling?.factor ?? 0)
        record.put(rule.selection.rawValue)
        record.put(rule.group)
      }
    }
  }

  /// Reads them; `false` when they are damaged.
  static func decodeRules(_ source: inout ByteReader, into world: inout WorldDescription) -> Bool {
    guard let count = source.u32() else { return false }
    // Nothing is reserved for counts: they may lie.
    for _ in 0..<count {
      guard var record = source.record(), let feature = record.i32(), let nearest = record.f64(),
        let near = record.f64(),
        let far = record.f64(), let factor = record.f64(), let selection = record.u8(), let group = record.i32()
      else { return false }
      var rule = DisplayRule(feature: feature)
      rule.nearest = nearest
      rule.scaling = DistanceScaling(near: near, far: far, factor: factor)
      rule.selection = DisplayRule.Selection(rawValue: selection) ?? .any
      rule.group = group
      world.rules.append(rule)
    }
    return true
  }
}
