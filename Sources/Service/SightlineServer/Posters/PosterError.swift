import SightlineContent

/// Why the catalogue does not take or give a poster.
enum PosterError: Error {
  /// There is no such poster.
  case unknown(String)
  /// No picture was given.
  case noPicture
  /// The picture cannot be a poster's, in words.
  case picture(String)
  /// The poster has no picture here that a target could be made of.
  case noTarget(String)
  /// Its picture cannot be read, in words.
  case unreadableTarget(String, reason: String)
  /// The account has as many posters as one may have.
  case tooMany(Int)
  /// Another poster has the identifier.
  case taken(String)
  /// The request names another poster than its address.
  case otherIdentifier(given: String, known: String)
  /// Somebody else was first.
  case conflict
  /// What was sent cannot be taken as it is.
  case unfit([Problem])
}
