import SightlineEngine

/// The one session of an instance.
///
/// An instance of the module runs on one thread and is entered by its page only, one call
/// at a time, so nothing can race for it.
nonisolated(unsafe) var session = PlaceSession()
