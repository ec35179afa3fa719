import Foundation

/// A number with so many decimals, never "-0"; numbers that are none become 0, which JSON can say.
func fixed(_ value: Double, _ decimals: Int) -> String {
  guard value.isFinite else { return "0" }
  let text = String(format: "%.\(decimals)f", value)
  return text.contains { ("1"..."9").contains($0) } ? text : text.replacingOccurrences(of: "-", with: "")
}
