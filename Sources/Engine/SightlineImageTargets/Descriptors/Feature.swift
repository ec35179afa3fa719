/// A keypoint of a picture that can be found again: where it is, how large, which way it is turned, and what is around
/// it.
public struct Feature: Equatable, Sendable {
  /// Numbers in a descriptor.
  public static let descriptorLength = 64

  /// Place, pixels.
  public var x: Float
  /// Place, pixels.
  public var y: Float
  /// Size: pixels of the picture in one unit of the descriptor's grid.
  public var scale: Float
  /// Direction of the strongest gradient around it, radians, clockwise on the screen from the x axis.
  public var angle: Float
  /// How much it stands out, sixteenths of a grey level; negative in the middle of what is dark.
  public var response: Float
}

/// The features of a picture with their descriptors.
///
/// A descriptor holds, for each of 4 × 4 cells around the keypoint in its own direction and size, how strongly the
/// picture
/// rises to the right, to the left, down and up: square roots of shares, so that the scalar product of two descriptors
/// is
/// `unit²` when they are equal and falls as they differ.
public struct FeatureSet: Sendable {
  /// Length of every descriptor as a vector, nearly.
  public static let unit: Float = 255

  /// The features.
  public var features: [Feature] = []
  /// Their descriptors one after another, ``Feature/descriptorLength`` numbers of 0 … 255 each.
  public var descriptors: [Int16] = []

  /// No features.
  public init() {}

  /// How many features there are.
  public var count: Int { features.count }
}

extension FeatureSet {
  /// Leaves out the features that a condition does not hold for.
  mutating func keep(_ isKept: (Feature) -> Bool) {
    let length = Feature.descriptorLength
    var count = 0
    for k in features.indices where isKept(features[k]) {
      if count < k {
        features[count] = features[k]
        for i in 0..<length { descriptors[count * length + i] = descriptors[k * length + i] }
      }
      count += 1
    }
    features.removeLast(features.count - count)
    descriptors.removeLast(descriptors.count - count * length)
  }
}
