import SightlineEngine

/// The one session of an instance.
///
/// An instance of the module runs on one thread and is entered by its page only, one call
/// at a time, so nothing can race for it.
nonisolated(unsafe) var session = Session()

/// Version of the memory layout in this folder.
///
/// `WebClient/engine/layout.js` states the same number and refuses another.
@_expose(wasm) @c public func sl_layout_version() -> Int32 { 6 }

/// Forgets everything and starts a new session.
@_expose(wasm) @c public func sl_reset() {
  session = Session()
  compiledWorld = nil
}
