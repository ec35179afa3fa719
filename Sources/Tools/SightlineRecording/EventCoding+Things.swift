import SightlineMath
import SightlineScene

extension EventCoding {
  static func encode(_ thing: SceneThing, _ out: inout ByteWriter) {
    out.put(thing.feature)
    out.put(thing.isModel)
    encode(thing.model, &out)
    out.put(thing.width)
    out.put(thing.height)
    out.put(thing.attitude != nil)
    out.put(thing.attitude?.heading.radians ?? 0)
    out.put(thing.attitude?.pitch.radians ?? 0)
    out.put(thing.attitude?.roll.radians ?? 0)
    // What stands on the ground has a feature whose altitude is measured from it; earlier versions want to be told here.
    out.put(false)
  }

  static func thing(_ source: inout ByteReader) -> SceneThing? {
    guard let feature = source.i32(), let isModel = source.bool(), let model = modelPlacement(&source),
      let width = source.f64(), let height = source.f64(), let hasAttitude = source.bool(), let turns = vector(&source)
    else { return nil }
    var thing = SceneThing(feature: feature)
    thing.isModel = isModel
    thing.model = model
    (thing.width, thing.height) = (width, height)
    if hasAttitude {
      thing.attitude = SceneThing.Attitude(
        heading: Angle(radians: turns.x),
        pitch: Angle(radians: turns.y),
        roll: Angle(radians: turns.z)
      )
    }
    return thing
  }
}
