import SightlineEngine
import SightlineMath
import SightlineScene
import SightlineWasmMemory

// The paths of the frame that was made last; `WebClient/engine/paths.js` mirrors the layout.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var output = Buffer()

/// Number of runs, then for each: feature, shape, whether a ring, number of points, and the points' x and y.
@_expose(wasm) @c public func sl_frame_paths() -> UnsafeMutablePointer<Double> {
  output.reserve(1 + 4 * session.frame.paths.count + 2 * session.frame.pathPoints.count)
  var out = Writer(output.base)
  out.put(session.frame.paths.count)
  for run in session.frame.paths {
    out.put(run.feature)
    out.put(run.shape)
    out.put(run.isRing)
    out.put(run.points.count)
    for index in run.points {
      out.put(session.frame.pathPoints[index].x)
      out.put(session.frame.pathPoints[index].y)
    }
  }
  return output.base
}
