import SightlineCamera
import SightlineMath

extension Homography {
  /// The map that most pairs of points agree with, by random samples of four (RANSAC, Fischler and Bolles 1981).
  ///
  /// The samples are drawn from a seed of their own: the same pairs always give the same map.
  ///
  /// - Parameters:
  ///   - plane: points of the plane.
  ///   - image: where they are thought to be seen, in the same order.
  ///   - tolerance: largest distance of a pair that agrees, pixels.
  ///   - rounds: most samples.
  /// - Returns: the map fitted to all that agree, and how many those are; `nil` when there are fewer than eight.
  public static func robust(
    from plane: [Vector2],
    to image: [Vector2],
    tolerance: Double = 3,
    rounds: Int = 400
  ) -> (map: Homography, inlierCount: Int)? {
    guard plane.count == image.count, plane.count >= 8 else { return nil }
    var state: UInt64 = 0x2545_F491_4F6C_DD1D
    func next(_ count: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int((state >> 33) % UInt64(count))
    }
    func inlierCount(_ map: Homography) -> [Int] {
      plane.indices.filter { i in map(plane[i]).map { ($0 - image[i]).length < tolerance } ?? false }
    }
    var best: [Int] = []
    for _ in 0..<rounds {
      let four = (0..<4).map { _ in next(plane.count) }
      guard Set(four).count == 4, let map = Homography(from: four.map { plane[$0] }, to: four.map { image[$0] }) else {
        continue
      }
      let found = inlierCount(map)
      if found.count > best.count { best = found }
      if best.count * 10 > plane.count * 9 { break }
    }
    guard best.count >= 8 else { return nil }
    for _ in 0..<3 {
      guard let map = Homography(from: best.map { plane[$0] }, to: best.map { image[$0] }) else { return nil }
      let found = inlierCount(map)
      guard found.count >= 8 else { return nil }
      if found == best { return (map, best.count) }
      best = found
    }
    return Homography(from: best.map { plane[$0] }, to: best.map { image[$0] }).map { ($0, best.count) }
  }
}
