/// Why a provider has no answer.
public enum ProviderFailure: Error, Sendable, Equatable {
  /// It did not answer in time.
  case timeout
  /// No connection, or one that broke.
  case connection(String)
  /// An answer with an HTTP status that means failure, and the seconds after which it wants to be asked again.
  case status(Int, retryAfter: Double?)
  /// An answer that is not what it should be.
  case malformed(String)
  /// An answer of more than so many bytes.
  case tooLarge(Int)
  /// It has no such stop.
  case unknownStop
  /// The stop was in use until lately.
  case retiredStop
  /// Its timetable is for other days.
  case outsideValidity(ClosedRange<ServiceDay>)
  /// Its data is so many seconds old.
  case outdated(Int)
  /// It failed often and is left alone for a while.
  case resting
  /// Too much is asked at the moment.
  case busy
  /// A fault in this program or its files.
  case broken(String)

  /// The word for it in answers.
  public var reason: String {
    switch self {
    case .timeout: "timeout"
    case .unknownStop: "unknown_stop"
    case .retiredStop: "retired_stop"
    case .outsideValidity, .resting, .busy: "unavailable"
    case .connection, .status, .malformed, .tooLarge, .broken, .outdated: "provider_error"
    }
  }

  /// A sentence for people.
  public var detail: String {
    switch self {
    case .timeout: "The provider did not answer in time."
    case .connection(let reason): "The provider cannot be reached: \(reason)."
    case .status(let status, _): "The provider answered with status \(status)."
    case .malformed(let reason): "The provider's answer is not what it should be: \(reason)."
    case .tooLarge(let limit): "The provider's answer is larger than \(limit) bytes."
    case .unknownStop: "There is no such stop, or there is none any more."
    case .retiredStop: "This stop is no longer served."
    case .outsideValidity(let days):
      "The timetable is for \(days.lowerBound.description) to \(days.upperBound.description)."
    case .outdated(let age): "The provider's realtime data is \(age) seconds old."
    case .resting: "The provider has failed several times and is asked again in half a minute."
    case .busy: "Too much is asked of the provider at the moment. Ask again in five seconds."
    case .broken: "The data of the provider cannot be read here; the server's operator has to look at it."
    }
  }

  /// Whether another try may do better.
  var isTransient: Bool {
    switch self {
    case .timeout, .connection: true
    case .status(let status, _): status == 429 || status >= 500
    default: false
    }
  }

  /// Whether it is an answer, by a provider in good order.
  var isAnswer: Bool {
    switch self {
    case .unknownStop, .retiredStop, .outsideValidity: true
    default: false
    }
  }

  /// Whether the provider is to blame; several in a row open the breaker.
  var countsAgainstProvider: Bool {
    switch self {
    case .timeout, .connection, .malformed, .tooLarge: true
    case .status(let status, _): status == 429 || status >= 500
    default: false
    }
  }
}
