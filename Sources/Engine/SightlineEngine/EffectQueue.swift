/// Effects waiting for the host, oldest first.
///
/// Keeps its memory, so that a steady stream allocates nothing.
struct EffectQueue: Sendable {
  private var effects: [SessionEffect] = []
  private var head = 0

  mutating func append(_ effect: SessionEffect) { effects.append(effect) }

  mutating func next() -> SessionEffect? {
    guard head < effects.count else { return nil }
    defer {
      head += 1
      if head == effects.count {
        effects.removeAll(keepingCapacity: true)
        head = 0
      }
    }
    return effects[head]
  }
}
