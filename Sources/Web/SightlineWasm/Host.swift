import SightlineEngine

/// The one session of an instance.
///
/// An instance of the module runs on one thread and is entered by its page only, one call
/// at a time, so nothing can race for it.
// swift-format-ignore: NeverForceUnwrap
nonisolated(unsafe) var session = newSession()!

/// Apart, so that the code that makes one is there once.
///
/// Optional, for what is stored in a global variable as it comes is inlined even so, in case the compiler could compute it.
@inline(never) private func newSession() -> Session? { Session() }

/// What a question about the session answers.
///
/// For what is not a stored property: of a global variable a method gets a copy, in which every array is retained; here the
/// session stays where it lies.
func askSession<Answer>(_ question: (inout Session) -> Answer) -> Answer { question(&session) }

/// Forgets everything and starts a new session.
@_expose(wasm) @c public func sl_reset() {
  // swift-format-ignore: NeverForceUnwrap
  session = newSession()!
  compiledWorld = nil
}
