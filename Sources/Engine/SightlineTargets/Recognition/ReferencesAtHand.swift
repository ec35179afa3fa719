/// Whose pictures are kept ready to be aligned, of targets that are not followed: of many those used last, the rest give theirs back.
struct ReferencesAtHand {
  private let models: [TargetModel]
  /// Whose whole pictures, and whose of these at all sizes; the same of small pictures.
  private var (opened, sized): (LastUsed, LastUsed)
  private var (smallOpened, smallSized): (LastUsed, LastUsed)

  /// Those of some targets; up to `few` all stay ready once they were.
  init(models: [TargetModel], few: Int) {
    self.models = models
    let hasMany = models.count > few
    (opened, sized) = (LastUsed(limit: hasMany ? 2 : few), LastUsed(limit: hasMany ? 1 : few))
    (smallOpened, smallSized) = (LastUsed(limit: 64), LastUsed(limit: hasMany ? 8 : few))
  }

  /// Notes that a target's picture is used, and gives back what was used longest ago beyond the limit.
  mutating func use(_ target: Int) {
    if let other = opened.use(target) { models[other].shed() }
    if let other = sized.use(target) { models[other].shedSizes() }
  }

  /// The same of its small picture.
  mutating func useSmall(_ target: Int) {
    if let other = smallOpened.use(target) { models[other].shedSmall() }
    if let other = smallSized.use(target) { models[other].shedSmallSizes() }
  }
}
