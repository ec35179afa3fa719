// The dictionaries of square markers, by their numbers in the engine.

/** Names of the dictionaries in the engine's order. */
export const DICTIONARY = [
  'aruco-original', '4x4-50', '4x4-100', '4x4-250', '4x4-1000', '5x5-50', '5x5-100', '5x5-250', '5x5-1000', '6x6-50',
  '6x6-100', '6x6-250', '6x6-1000', '7x7-50', '7x7-100', '7x7-250', '7x7-1000', 'aruco-mip-36h12', 'apriltag-16h5',
  'apriltag-25h9', 'apriltag-36h10', 'apriltag-36h11',
];
