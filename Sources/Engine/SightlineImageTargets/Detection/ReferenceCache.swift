/// Whose pictures are kept ready to be aligned, of targets that are not followed: of many those used last, the rest
/// give theirs back.
struct ReferenceCache {
  private let models: [TargetModel]
  /// Whose whole pictures, and whose of these at all sizes; the same of small pictures.
  private var (opened, sized): (LeastRecentlyUsed, LeastRecentlyUsed)
  private var (smallOpened, smallSized): (LeastRecentlyUsed, LeastRecentlyUsed)

  /// Those of some targets; up to `few` all stay ready once they were.
  init(models: [TargetModel], few: Int) {
    self.models = models
    let hasMany = models.count > few
    (opened, sized) = (LeastRecentlyUsed(limit: hasMany ? 2 : few), LeastRecentlyUsed(limit: hasMany ? 1 : few))
    (smallOpened, smallSized) = (LeastRecentlyUsed(limit: 64), LeastRecentlyUsed(limit: hasMany ? 8 : few))
  }

  /// Notes that a target's picture is used, and gives back what was used longest ago beyond the limit.
  mutating func use(_ target: Int) {
    if let other = opened.use(target) { models[other].evict() }
    if let other = sized.use(target) { models[other].evictPyramid() }
  }

  /// The same of its small picture.
  mutating func useThumbnail(_ target: Int) {
    if let other = smallOpened.use(target) { models[other].evictThumbnail() }
    if let other = smallSized.use(target) { models[other].evictThumbnailPyramid() }
  }
}
