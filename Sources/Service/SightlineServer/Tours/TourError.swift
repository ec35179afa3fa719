/// Why a tour does not do something.
enum TourError: Error, Equatable {
  /// No team has the code.
  case codeUnknown
  /// The team has as many phones as it may have.
  case teamFull(Int)
  /// The secret is no phone's, or no more.
  case deviceUnknown
  /// The run has been deleted.
  case gone
  /// The phone sends too much; seconds to wait.
  case tooFast(wait: Double)
  /// The teacher was asked too often; seconds to wait.
  case calledTooOften(wait: Double)
  /// A network has sent too many wrong codes; seconds to wait.
  case tooManyGuesses(wait: Double)
  /// The tour is over.
  case ended
  /// Another team has sent an event with this identifier.
  case foreignEvent
  /// The team has sent as many events as are kept.
  case eventsFull
}
