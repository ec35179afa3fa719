extension LabelLayout {
  /// What can be tuned.
  ///
  /// Lengths are points, times seconds.
  public struct Parameters: Equatable, Sendable {
    /// Room between boxes that a label wants where it newly settles; larger is airier and makes more clusters.
    public var clearance: Double = 4
    /// Room between boxes that is enough to stay; smaller than ``clearance``, so that small movements change nothing.
    public var keepClearance: Double = 1
    /// How far boxes at the screen's edge move against the others as a hand trembles.
    ///
    /// Room of this size is added to
    /// ``clearance`` there, and everywhere for a better place before a label moves to it or a cluster lets a member go,
    /// so that what was given up is not at once taken back; larger is calmer and lifts higher.
    public var tremble: Double = 8
    /// Distance of the boxes from the screen's edges.
    public var margin: Double = 6
    /// Lifts are multiples of this; larger means fewer distinct heights and so fewer changes.
    public var liftStep: Double = 6
    /// How far a label may be lifted off its place; larger makes taller stacks and fewer clusters.
    public var maximumLift: Double = 180
    /// How far a dot may be lifted off its place.
    public var dotLift: Double = 60
    /// How far a label may stand below its place, where it must not reach beyond the free area and has no room above.
    public var maximumDrop: Double = 120
    /// Side of a dot's box, which has some room around what is drawn.
    public var dotSide: Double = 22
    /// Part of the screen, square points, for each card: the rest of the labels show less.
    public var cardArea: Double = 42_000
    /// Most cards, on however large a screen.
    public var mostCards: Int32 = 12
    /// Pills for each card; what is farther is a dot.
    public var pillsForCard: Int32 = 2
    /// Part of the free area's smaller side within which, around the middle, dots become pills.
    public var middle: Double = 0.25
    /// How long more of a label must have been wanted, and have had room, before it is shown.
    public var growSeconds: Double = 0.25
    /// Gap between box and anchor from which a leader line is wanted.
    public var leaderMinimum: Double = 5
    /// How long a better place must have been free before a label takes it, and a cluster's member a place of its own;
    /// larger is calmer and slower to tidy up.
    public var dwellSeconds: Double = 0.5
    /// Time constant of movements to a new place: 63 % of the way after this time.
    public var glideSeconds: Double = 0.07
    /// Time a box takes to fade in.
    public var fadeSeconds: Double = 0.15
    /// How long the place of a label that left the picture is remembered.
    ///
    /// A gap between frames longer than this makes
    /// the next layout appear at once, without movement.
    public var memorySeconds: Double = 1
    /// Width of a cluster's box.
    public var clusterWidth: Double = 44
    /// Height of a cluster's box.
    public var clusterHeight: Double = 44
    /// Distance from a cluster's anchor within which candidates join it; larger makes fewer, larger clusters.
    public var clusterRadius: Double = 90
    /// Most members fanned out at once; the others are the remainder.
    public var fanMaximum: Int32 = 12

    /// The defaults.
    public init() {}
  }
}
