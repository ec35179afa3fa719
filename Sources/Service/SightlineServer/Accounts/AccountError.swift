/// Why an account may not do something, or nothing can be done with it.
enum AccountError: Error, Equatable {
  /// It belongs to somebody else.
  case notOwner
  /// There is no such account.
  case unknown
  /// No operator would be left.
  case lastOperator
  /// The one who is to have an account's things is itself, nobody, or closed.
  case noHeir
  /// The present password is another.
  case wrongPassword
  /// A new password would be guessed too soon, in words.
  case weakPassword(String)
  /// The account has a second factor, and no code was given.
  case codeMissing
  /// The code is wrong, or was used.
  case wrongCode
  /// There is no second factor to confirm.
  case factorNotBegun
  /// There were too many wrong codes; seconds to wait.
  case tooManyCodes(wait: Int)
  /// There were too many attempts that failed; seconds to wait.
  case tooManyAttempts(wait: Int)
}

/// An account's files take up all the room they may have, bytes.
struct FilesFull: Error, Equatable {
  let used: Int
  let limit: Int
}
