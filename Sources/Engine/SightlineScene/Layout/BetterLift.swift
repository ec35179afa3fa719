/// A lift that would be better than the one in use: what a label or a cluster comes back to after it has been free.
struct BetterLift: Sendable {
  /// Points.
  var lift = 0.0
  /// Since when it has had room without a break, seconds; infinite when there is none.
  var since = Double.infinity
}
