import SightlineContent

/// Why the studio does not do something.
enum StudioError: Error {
  /// There is no such world, or none that is the account's or shared with it.
  case unknown(String)
  /// The world has been removed meanwhile.
  case removed
  /// The text cannot be an identifier of a world.
  case badIdentifier(String)
  /// Another world has the identifier.
  case taken(String)
  /// So many worlds have this title that no identifier can be made of it.
  case titleTaken(String)
  /// The account has as many worlds as one may have.
  case tooManyWorlds(Int)
  /// The account's worlds and their versions take up all the room they may have, bytes.
  case noRoom(used: Int, limit: Int)
  /// A draft says that it was made from a version that is not there yet.
  case futureVersion(Int)
  /// There is no such version of the world.
  case unknownVersion(Int)
  /// Others are saving the world all the time.
  case busy
  /// The text is no draft.
  case malformed(DecodingError)
  /// The draft cannot be kept as it is.
  case unfit([Problem])
  /// The draft is larger than one may be, bytes.
  case tooLarge(Int, limit: Int)
}
