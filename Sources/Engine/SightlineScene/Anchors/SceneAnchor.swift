import SightlineCamera
import SightlineMath

/// An anchor of the world as the newest picture of the camera has it.
public struct SceneAnchor: Equatable, Sendable {
  /// Index in ``WorldDescription/anchors``.
  public var anchor: Int32 = 0
  /// How it is known; ``SightlineCamera/ObservationState/lost`` as long as nothing is.
  public var state = ObservationState.lost
  /// Whether it is in the newest picture, seen or carried on, or known by what it is related to.
  public var isInPicture = false
  /// How it lies before the camera of the picture; `nil` when that is not known.
  public var cameraFromAnchor: SimilarityTransform?
  /// Its corners on the display, points, from its own top left clockwise; `nil` when it is not in the picture by itself.
  public var corners: Quadrilateral?
  /// Standard deviation of a corner, points.
  public var deviation = 0.0
  /// 0 … 1: full while it is seen, less the less surely it is carried on, nothing while it is not in the picture.
  public var opacity = 0.0
  /// Seconds since it was found.
  public var age = 0.0

  /// An anchor that nothing is known of.
  public init() {}
}

/// A feature that stands on an anchor that is not lost; ``opacity`` is 0 while that is not in the newest picture.
public struct AnchoredItem: Sendable {
  /// Index in ``WorldDescription/features``.
  public var feature: Int32 = 0
  /// Index in ``WorldDescription/anchors``.
  public var anchor: Int32 = 0
  /// The place on the display that its label belongs to, points.
  public var place = Vector2.zero
  /// Top left corner of its label, points; `nil` where there is no room for it, or nothing to show.
  public var label: ScreenRectangle?
  /// How much of the label is shown: names do not cover pictures and models, which have a dot until they are selected.
  public var level = LabelLevel.card
  /// From the feature's own frame (a picture a unit wide, or a model's units) to the camera's; `nil` without a pose, and for a
  /// feature that is only a label.
  public var cameraFromFeature: SimilarityTransform?
  /// 0 … 1.
  public var opacity = 1.0
  /// Seconds since its anchor was found: the time of a model's movements.
  public var age = 0.0

  /// An item with the defaults above.
  public init() {}
}
