import SightlineMath

/// Places of values from the smallest to the largest; equal ones stay in their order.
///
/// One for all that is put in order: in the browser's program each kind of element would have a copy of the algorithm of its own.
func ascendingPlaces(_ values: [Double]) -> [Int] {
  var merge = MergeOrder(values.count)
  while let (a, b) = merge.next() { merge.take(values[a] < values[b]) }
  return merge.order
}

/// The value that so large a share of them is below, 0 … 1.
///
/// - Parameters:
///   - values: at least one.
///   - share: from 0, less than 1.
/// - Returns: one of the values.
func quantile(_ values: [Double], _ share: Double) -> Double {
  values[ascendingPlaces(values)[Int(Double(values.count) * min(max(share, 0), 0.999))]]
}
