import SightlineMath
import SightlineScene

extension FramePainter {
  /// Lines and areas on the ground, areas first.
  func drawPaths(_ frame: SceneFrame, _ canvas: Canvas) {
    var shapes: [(shape: Int32, runs: [ScenePathRun])] = []
    for run in frame.paths where run.isRing {
      if let last = shapes.last, last.shape == run.shape {
        shapes[shapes.count - 1].runs.append(run)
      } else {
        shapes.append((run.shape, [run]))
      }
    }
    for (_, runs) in shapes {
      canvas.area(runs.map { frame.pathPoints[$0.points] }, Paint.accent.faded(0.22))
    }
    for run in frame.paths.filter(\.isRing) + frame.paths.filter({ !$0.isRing }) {
      let width = run.feature == frame.selected ? 8.0 : 5
      let points = frame.pathPoints[run.points]
      // A dark line under the coloured one is readable on any picture.
      canvas.line(through: points, Paint(0x080C10, 0.48), width: width + 2.5, isClosed: run.isRing)
      canvas.line(through: points, Paint.accent.faded(0.95), width: width, isClosed: run.isRing)
    }
  }
}
