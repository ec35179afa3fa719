import SightlineMath

extension Scenery.Landmark {
  /// Side of the cube on top of its pole, metres.
  var plateSide: Double { max(0.5, height * 0.12) }
}

extension Scenery.Picture {
  /// Its corners in the world, clockwise from the top left as seen from the front; `aspect` is the height over the width of
  /// the picture file, for pictures whose height is not given.
  public func corners(aspect: Double) -> [Vector3] {
    let surface = surface(aspect: aspect, .plain(.zero))
    let (a, u, v) = (surface.corner, surface.across, surface.down)
    return [a, a + u, a + u + v, a + v]
  }

  func surface(aspect: Double, _ material: Material) -> Surface {
    let (f, t, τ) = (facing.radians, tilt.radians, turn.radians)
    let front = Vector3(sin(f) * cos(t), cos(f) * cos(t), sin(t))
    let level = Vector3(-cos(f), sin(f), 0)
    let upright = front.cross(level)
    let right = level * cos(τ) - upright * sin(τ)
    let up = upright * cos(τ) + level * sin(τ)
    let height = self.height ?? width * aspect
    return Surface(
      corner: center - right * (width / 2) + up * (height / 2),
      across: right * width,
      down: up * -height,
      material: material
    )
  }
}

extension Scenery {
  /// All surfaces, given the pictures' textures in their order.
  ///
  /// - Parameters:
  ///   - seed: of houses and furniture.
  ///   - textures: of the pictures.
  ///   - way: where the phone goes; furniture keeps away from it.
  /// - Returns: ground, houses, rooms, landmarks, tables and pictures, in this order.
  func surfaces(seed: UInt64, textures: [Texture], way: [Vector3]) -> [Surface] {
    let extent = 6000.0
    // A room's floor is at 0; what is outside of it is not seen.
    let ground = rooms.isEmpty ? 0 : -0.1
    var all = [
      Surface(
        corner: Vector3(-extent / 2, -extent / 2, ground),
        across: Vector3(extent, 0, 0),
        down: Vector3(0, extent, 0),
        material: .ground(width: extent, height: extent),
        name: "ground"
      )
    ]
    all += standing(seed: seed, way: way)
    for (index, landmark) in landmarks.enumerated() {
      let colour = landmark.colour.map { SIMD3(Float($0.red), Float($0.green), Float($0.blue)) } ?? Self.colour(index)
      let side = landmark.plateSide
      let pole = max(0.05, landmark.height - side / 2)
      all += Surface.box(
        center: landmark.foot + Vector3(0, 0, pole / 2),
        side: max(0.1, side * 0.16),
        height: pole,
        SIMD3(120, 120, 124)
      )
      all += Surface.box(center: landmark.point, side: side, height: side, colour)
    }
    for table in tables {
      let colour = table.colour.map { SIMD3(Float($0.red), Float($0.green), Float($0.blue)) } ?? SIMD3(150, 112, 78)
      let thickness = 0.04
      all += Surface.box(
        center: table.center - Vector3(0, 0, thickness / 2),
        side: table.side,
        height: thickness,
        colour
      )
      let leg = table.center.z - thickness
      if leg > 0 {
        let foot = Vector3(table.center.x, table.center.y, leg / 2)
        all += Surface.box(center: foot, side: table.side / 6, height: leg, colour * 0.7)
      }
    }
    for (picture, texture) in zip(pictures, textures) {
      all.append(picture.surface(aspect: Double(texture.height) / Double(texture.width), .texture(texture)))
    }
    return all
  }

  /// Streets with what stands beside them, a town, and rooms with their furniture.
  func standing(seed: UInt64, way: [Vector3]) -> [Surface] {
    var all = streets.enumerated().flatMap {
      Self.surfaces(of: $0.element, seed: seed &+ UInt64($0.offset) &* 7919)
    }
    if let town { all += town.surfaces(seed: seed) }
    for (index, room) in rooms.enumerated() {
      var builder = RoomBuilder(room, seed: seed &+ UInt64(index) &* 7919)
      builder.keepFree(way)
      for picture in pictures { builder.keepFree(picture) }
      for table in tables { builder.keepFree(table) }
      all += builder.build()
    }
    return all
  }

  /// Strong colours, one after another far from the last: steps of the golden angle around the wheel.
  private static func colour(_ index: Int) -> SIMD3<Float> {
    let hue = fmod(Double(index) * 0.61803398875, 1) * 6
    func part(_ shift: Double) -> Float { Float(235 * clamp(abs(fmod(hue + shift, 6) - 3) - 1, 0.08, 1)) }
    return SIMD3(part(0), part(4), part(2))
  }

  private static func surfaces(of street: Street, seed: UInt64) -> [Surface] {
    let (s, c) = (sin(street.heading.radians), cos(street.heading.radians))
    func place(_ along: Double, _ aside: Double) -> Vector3 {
      Vector3(street.east + along * s + aside * c, street.north + along * c - aside * s, 0)
    }
    let half = street.length / 2
    var all = [
      Surface(
        corner: place(-half, -street.width / 2) + Vector3(0, 0, 0.02),
        across: place(-half, street.width / 2) - place(-half, -street.width / 2),
        down: place(half, 0) - place(-half, 0),
        material: .road(width: street.width, length: street.length),
        name: "road"
      )
    ]
    var random = SeededGenerator(seed: seed, purpose: "street")
    for side in [-1.0, 1] {
      var along = -half
      while along < half - 4 {
        let width = min(random.uniform(8, 16), half - along)
        let height = (random.uniform(2, 5).rounded() + 0.3) * 3.3
        let aside = side * (street.width / 2 + random.uniform(0, 0.4))
        let depth = side * 10
        let tone = SIMD3<Float>(
          Float(random.uniform(150, 225)),
          Float(random.uniform(140, 205)),
          Float(random.uniform(115, 185))
        )
        // The sun stands in the south-east: fronts that look there are brighter.
        let lit = Float(0.82 + 0.14 * -side * (c * 0.7 - s * 0.7))
        let (a, b) = (place(along, aside), place(along + width, aside))
        let number = random.next()
        all.append(
          .wall(
            from: side < 0 ? a : b,
            to: side < 0 ? b : a,
            height: height,
            .facade(width: width, height: height, number: number, tone: tone * lit)
          )
        )
        all[all.count - 1].name = "facade"
        for end in [along, along + width] {
          all.append(
            .wall(from: place(end, aside), to: place(end, aside + depth), height: height, .plain(tone * lit * 0.8))
          )
        }
        along += width
      }
    }
    return all
  }
}
