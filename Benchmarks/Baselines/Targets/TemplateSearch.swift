import SightlineImaging
import SightlineMath

/// A picture looked for as it is, at some sizes: no turning, no perspective.
///
/// What most first tries of 2014 were, for comparison.
public final class TemplateSearch {
  /// Where the picture fits best.
  public struct Result: Equatable, Sendable {
    /// Left top corner, pixels of the frame.
    public var x: Double
    /// Left top corner, pixels of the frame.
    public var y: Double
    /// Size, as a factor of the picture's.
    public var scale: Double
    /// Normalised cross-correlation there, −1 … 1.
    public var correlation: Double
  }

  private let templates: [(image: GrayImage, scale: Double)]
  private let reduction: Int

  /// A search for a picture.
  ///
  /// - Parameters:
  ///   - picture: what is looked for.
  ///   - scales: sizes to try, as factors of its size.
  ///   - reduction: frame and picture are made so many times smaller first, 1 … 16; the place is that exact.
  public init(_ picture: GrayView, scales: [Double] = [0.25, 0.4, 0.6, 0.8, 1], reduction: Int = 4) {
    self.reduction = max(1, min(16, reduction))
    let whole = FloatImage(picture)
    let reduction = Double(self.reduction)
    templates = scales.compactMap { scale in
      let (w, h) = (
        Int((Double(picture.width) * scale / reduction).rounded()),
        Int((Double(picture.height) * scale / reduction).rounded())
      )
      guard w >= 4, h >= 4, w <= picture.width, h <= picture.height else { return nil }
      return (whole.resized(width: w, height: h).rounded(), scale)
    }
  }

  /// Where the picture fits a frame best; `nil` when it is larger than the frame at all sizes, or the frame is all of
  /// one grey.
  public func search(_ frame: GrayView) -> Result? {
    let (w, h) = (frame.width / reduction, frame.height / reduction)
    guard w >= 4, h >= 4 else { return nil }
    let small = FloatImage(frame).resized(width: w, height: h).rounded()
    var best: Result?
    for (template, scale) in templates where template.width <= w && template.height <= h {
      small.withView { frame in
        template.withView { template in
          guard let found = place(template, in: frame), found.correlation > best?.correlation ?? 0 else { return }
          best = Result(
            x: Double(found.x * reduction),
            y: Double(found.y * reduction),
            scale: scale,
            correlation: found.correlation
          )
        }
      }
    }
    return best
  }

  private func place(_ template: GrayView, in frame: GrayView) -> (x: Int, y: Int, correlation: Double)? {
    let count = Double(template.width * template.height)
    var (sum, squares) = (0, 0)
    for y in 0..<template.height {
      for x in 0..<template.width {
        let level = Int(template.row(y)[x])
        sum += level
        squares += level * level
      }
    }
    let norm = (Double(squares) - Double(sum) * Double(sum) / count).squareRoot()
    guard norm > 1e-6 else { return nil }
    var best: (x: Int, y: Int, correlation: Double)?
    for top in 0...(frame.height - template.height) {
      for left in 0...(frame.width - template.width) {
        var (there, thereSquares, product): (Int32, Int64, Int64) = (0, 0, 0)
        for y in 0..<template.height {
          let (a, b) = (template.row(y), frame.row(top + y) + left)
          var (rowSum, rowSquares, rowProduct): (Int32, Int32, Int32) = (0, 0, 0)
          for x in 0..<template.width {
            let (u, v) = (Int32(a[x]), Int32(b[x]))
            rowSum &+= v
            rowSquares &+= v &* v
            rowProduct &+= u &* v
          }
          there &+= rowSum
          thereSquares &+= Int64(rowSquares)
          product &+= Int64(rowProduct)
        }
        let variance = Double(thereSquares) - Double(there) * Double(there) / count
        guard variance > 1e-6 else { continue }
        let correlation = (Double(product) - Double(there) * Double(sum) / count) / (norm * variance.squareRoot())
        if correlation > best?.correlation ?? -1 { best = (left, top, correlation) }
      }
    }
    return best
  }
}
