import SightlineMath

/// What the placing stages work on: the labels, the clusters and the slots they take, at rest.
///
/// Each stage from the selected label to tidying up takes the arrangement as the one before left it. In the end every
/// entry has an outcome.
struct LabelArrangement: Sendable {
  var labels = LabelTable()
  var clusters = LabelClusters()
  var slots = LabelSlots()

  /// The frame it is made for.
  @inline(__always)
  var frame: LabelFrame { slots.frame }
}
