import SightlineContent

/// Reads what a tap on an item does.
///
/// In: the fields of a feature or overlay. Out: its action, if it has a usable one. Reports what is wrong with it (D013,
/// D040, D041).
struct GDDFActionReader {
  let addresses: GDDFAddressReader
  /// Whether the dimension can be fetched again.
  let hasRefreshURL: Bool

  /// The action; an unusable one also takes back an earlier one, as in the iPhone client.
  func action(of fields: GDDFFields) -> Action? {
    var result: Action?
    for scalar in fields.scalars["onPress"] ?? [] { result = action(scalar) }
    fields.reportRepeated("onPress", value: result == nil ? nil : fields.last("onPress")?.text)
    return result
  }

  private func action(_ scalar: GDDFFields.Scalar) -> Action? {
    let parts = scalar.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let word = String(parts[0])
    switch word {
    case "refresh":
      if !hasRefreshURL {
        addresses.problems.reportMissingRefreshURL(
          "The action refresh does nothing",
          line: scalar.line,
          path: scalar.path
        )
      }
      return .refresh
    case "webpage", "dimension":
      var address = scalar
      address.text = parts.count == 2 ? String(parts[1]).trimmed : ""
      guard !address.text.isEmpty else {
        reportAction(scalar, "has no address. Write \(word): http://…")
        return nil
      }
      let purpose: GDDFURLPurpose = word == "webpage" ? .webPage : .dimension
      guard let url = addresses.url(address, purpose) else { return nil }
      return word == "webpage" ? .webPage(url) : .dimension(url)
    default:
      reportAction(scalar, "is none of the three forms refresh, webpage: URL and dimension: URL (in small letters)")
      return nil
    }
  }

  private func reportAction(_ scalar: GDDFFields.Scalar, _ reason: String) {
    addresses.problems.add(
      .error,
      "D040",
      line: scalar.line,
      path: scalar.path,
      "The action \(quoted(scalar.text)) \(reason). The item does not react to a tap; correct it."
    )
  }
}
