/// How long the texts and lists of one thing in a world may be, whoever made it.
///
/// Readers cut what is longer and say so; the studio refuses it.
public enum ContentLimits {
  /// Characters (Unicode scalars) of titles, names and telephone numbers.
  public static let name = 500
  /// Characters of every other text.
  public static let text = 20_000
  /// Characters of a category.
  public static let category = 100
  /// Categories of a place.
  public static let categories = 50
  /// Things that one thing refers to: overlays shown on focus, shared anchors and assets.
  public static let references = 64
  /// Languages that one thing has texts in.
  public static let languages = 300

  /// The text, cut to so many characters; `nil` when it is not longer.
  ///
  /// Characters are Unicode scalars here: a user-perceived character may have any number of them.
  public static func cut(_ text: String, to limit: Int) -> String? {
    guard text.utf8.count > limit else { return nil }
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end != scalars.endIndex
    else { return nil }
    return String(scalars[..<end])
  }
}
