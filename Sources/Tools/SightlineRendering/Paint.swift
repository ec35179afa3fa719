/// A colour with transparency, 0 … 1 for each part.
struct Paint: Equatable, Sendable {
  var red, green, blue, alpha: Double

  /// From a number such as 0x6EE7C7.
  init(_ hex: UInt32, _ alpha: Double = 1) {
    red = Double(hex >> 16 & 255) / 255
    green = Double(hex >> 8 & 255) / 255
    blue = Double(hex & 255) / 255
    self.alpha = alpha
  }

  func faded(_ share: Double) -> Paint {
    var copy = self
    copy.alpha *= share
    return copy
  }

  // The colours of the web client's view.
  static let glass = Paint(0x0A1015, 0.72)
  static let glassLine = Paint(0xFFFFFF, 0.16)
  // Of what stands behind buildings.
  static let hiddenGlass = Paint(0x0C1218, 0.62)
  static let hiddenLine = Paint(0xFFFFFF, 0.55)
  static let text = Paint(0xEEF4F7)
  static let secondText = Paint(0xA9BAC6)
  static let accent = Paint(0x6EE7C7)
  static let pick = Paint(0xFFCF5C)
  static let bad = Paint(0xFF8A7A)
  static let shade = Paint(0x000000, 0.55)
}
