import SightlineMath

/// Version of the memory layout that `WebClient/engine/engine.js` is written for.
@_expose(wasm) @c public func sl_layout_version() -> Int32 { 1 }
