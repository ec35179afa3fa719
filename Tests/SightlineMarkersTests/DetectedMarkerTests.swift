import SightlineCamera
import SightlineMath
import Testing

@testable import SightlineMarkers

@Suite struct DetectedMarkerTests {
  private func covariance(_ variance: Double) throws -> CornerCovariance {
    var covariance = InlineArray<8, InlineArray<8, Double>>(repeating: .init(repeating: 0))
    for i in 0..<8 { covariance[i][i] = variance }
    return try #require(CornerCovariance(covariance: covariance, floor: 0))
  }

  @Test func `markers are equal when all their parts are, how surely the corners are known among them`() throws {
    let marker = DetectedMarker(
      dictionary: .apriltag36h11,
      id: 7,
      corners: Quadrilateral(Vector2(0, 0), Vector2(9, 0), Vector2(9, 9), Vector2(0, 9)),
      covariance: try covariance(0.01),
      wrongCells: 1,
      confidence: 0.9
    )
    var other = marker
    #expect(other == marker)
    other.covariance = try covariance(0.04)
    #expect(other != marker)
    other.covariance = nil
    #expect(other != marker)
    other = marker
    other.corners[3].y += 1e-9
    #expect(other != marker)
  }
}
