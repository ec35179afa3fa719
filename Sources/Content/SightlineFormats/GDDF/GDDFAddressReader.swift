/// What an address in a GDDF document is for.
enum GDDFURLPurpose: Equatable {
  /// The document itself, fetched again.
  case refresh
  /// Another document.
  case dimension
  case asset
  /// Handed to the system.
  case webPage
  /// Shown in a box on the screen.
  case html
  case sound

  /// Why an unusable address matters.
  var consequence: String {
    switch self {
    case .refresh: "The dimension is not refreshed"
    case .dimension, .webPage: "The item does not react to a tap"
    case .asset: "The asset is left out"
    case .html: "The overlay is left out"
    case .sound: "The sound is left out"
    }
  }
}

/// Checks addresses and resolves relative ones.
///
/// In: an address as it is written, and what it is for. Out: the usable address, or nothing after a report of D040 or
/// D041. Keeps the address of the document, if that is known.
struct GDDFAddressReader {
  private let base: URLReference?
  let problems: ProblemList

  init(base: String?, problems: ProblemList) {
    self.base = base.map { URLReference(URLReference.percentEncoded($0.trimmed)) }
    self.problems = problems
  }

  /// The usable address, or `nil` after a report.
  func url(_ written: GDDFFields.Scalar, _ purpose: GDDFURLPurpose) -> String? {
    let (text, line, path) = (written.text, written.line, written.path)
    func bad(_ reason: String) -> String {
      "The address \(quoted(text, limit: 80)) \(reason). \(purpose.consequence); correct it."
    }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      problems.add(.error, "D040", line: line, path: path, bad("has a line break or control character in it"))
      return nil
    }
    if let host = URLReference(text).host, !host.utf8.allSatisfy({ $0 < 0x80 }) {
      problems.add(.error, "D040", line: line, path: path, bad("has letters beyond ASCII in its host; write xn--…"))
      return nil
    }
    let encoded = URLReference.percentEncoded(text)
    var reference = URLReference(encoded)
    // A scheme with a host has to have one that can be looked up; that outweighs what could be encoded.
    let hasBadHost =
      ["http", "https", "gamaray"].contains(reference.scheme?.lowercased())
      && (reference.host.map { $0.contains { "%[]@ ".contains($0) } } ?? true || !reference.hasUsablePort)
    if encoded != text, !hasBadHost {
      problems.add(
        .warning,
        "D041",
        line: line,
        path: path,
        "The address \(quoted(text, limit: 80)) has characters that must be percent-encoded. It is read as "
          + "\(quoted(encoded, limit: 120)); write it so."
      )
    }
    guard let scheme = reference.scheme?.lowercased() else {
      return relative(reference, line: line, path: path)
    }
    guard isAccepted(scheme, for: purpose) else {
      problems.add(
        .warning,
        "D041",
        line: line,
        path: path,
        "The scheme \(quoted(scheme)) is not allowed here. \(purpose.consequence); use \(schemes(for: purpose))."
      )
      return nil
    }
    if hasBadHost {
      problems.add(.error, "D040", line: line, path: path, bad("has no usable host; write http://host/path"))
      return nil
    }
    if ["mailto", "tel", "geo", "sms"].contains(scheme), reference.path.isEmpty {
      problems.add(.error, "D040", line: line, path: path, bad("says nothing after its scheme"))
      return nil
    }
    // Only fetched addresses are changed by the original client; web pages go to the system as they are.
    if scheme == "https", purpose == .refresh || purpose == .dimension || purpose == .asset {
      problems.add(
        .warning,
        "D041",
        line: line,
        path: path,
        "The address uses https, which the original iPhone client silently turns into http. Make sure that the server "
          + "answers there too, or do without that client."
      )
    }
    reference.scheme = scheme
    return reference.text
  }

  private func relative(_ reference: URLReference, line: Int, path: DocumentPath) -> String {
    let resolved = base.map { reference.resolved(against: $0) }
    let reading = resolved.map { "It is read as \(quoted($0.text, limit: 120))" } ?? "It is kept as written"
    problems.add(
      .warning,
      "D041",
      line: line,
      path: path,
      "The address \(quoted(reference.text, limit: 80)) is relative; the original clients cannot load it. \(reading); "
        + "write the whole address for other programs."
    )
    return (resolved ?? reference).text
  }

  private func isAccepted(_ scheme: String, for purpose: GDDFURLPurpose) -> Bool {
    switch scheme {
    case "http", "https": true
    case "gamaray": purpose != .webPage && purpose != .html
    case "mailto", "tel", "geo", "sms": purpose == .webPage
    // A local document may point to local files; a downloaded one must not.
    case "file": purpose != .webPage && base?.scheme?.lowercased() == "file"
    default: false
    }
  }

  private func schemes(for purpose: GDDFURLPurpose) -> String {
    switch purpose {
    case .webPage: "http, https, mailto, tel, geo or sms"
    case .html: "http or https"
    default: "http, https or gamaray"
    }
  }
}
