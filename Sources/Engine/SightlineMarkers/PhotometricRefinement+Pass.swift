import SightlineMath

extension PhotometricRefinement {
  /// What does not change from pixel to pixel.
  struct Look {
    let all: Float
    let reach: Float
    let scale: Float
    let terms: Terms
    let believed: Float
    // Rows of the inverse.
    let (a, b, c): (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    let perspective: SIMD4<Float>

    init(map: Matrix3, inverse: Matrix3, all: Float, reach: Float, scale: Float, terms: Terms, believed: Float) {
      self.all = all
      self.reach = reach
      self.scale = scale
      self.terms = terms
      self.believed = believed
      func row(_ v: Vector3) -> SIMD4<Float> { SIMD4(Float(v.x), Float(v.y), Float(v.z), 0) }
      (a, b, c) = (row(inverse.row0), row(inverse.row1), row(inverse.row2))
      perspective = row(map.row2) / Float(map.row2.z)
    }

    /// Weights of five cells along an axis, how they change with the place, and with the blur's logarithm.
    @inline(__always)
    private func weights(
      _ u: Float,
      _ inverse: Float,
      _ tables: BlurredStep.Tables
    ) -> (Int, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>) {
      let first = Int(u.rounded(.down))
      let t = (SIMD4<Float>(-1, 0, 1, 2) + (Float(first) - u)) * inverse
      var steps = SIMD4<Float>.zero
      var slopes = SIMD4<Float>.zero
      for k in 0..<4 {
        let (s, g) = tables.exact(t[k])
        steps[k] = s
        slopes[k] = g
      }
      let bends = t * slopes
      let moves = slopes * inverse
      let w = SIMD8<Float>(
        steps[0],
        steps[1] - steps[0],
        steps[2] - steps[1],
        steps[3] - steps[2],
        1 - steps[3],
        0,
        0,
        0
      )
      let d = SIMD8<Float>(
        -moves[0],
        moves[0] - moves[1],
        moves[1] - moves[2],
        moves[2] - moves[3],
        moves[3],
        0,
        0,
        0
      )
      let s = SIMD8<Float>(
        -bends[0],
        bends[0] - bends[1],
        bends[1] - bends[2],
        bends[2] - bends[3],
        bends[3],
        0,
        0,
        0
      )
      return (first, w, d, s)
    }

    /// Adds a pixel; `false` when it is not a part of the marker.
    @inline(__always)
    func add(
      _ x: Float,
      _ y: Float,
      _ level: Float,
      _ grid: UnsafePointer<Float>,
      _ tables: BlurredStep.Tables,
      to sums: UnsafeMutablePointer<SIMD4<Float>>,
      _ total: inout Float,
      _ squares: inout Float
    ) -> Bool {
      let z = c[0] * x + c[1] * y + c[2]
      let k = 1 / z
      let (p, q) = ((a[0] * x + a[1] * y + a[2]) * k, (b[0] * x + b[1] * y + b[2]) * k)
      guard p > -reach, p < reach, q > -reach, q < reach else { return false }
      // Cells, from the outer edge of the border.
      let (u, v) = ((p + 0.5) * all, (q + 0.5) * all)
      let (ux, uy) = ((a[0] - p * c[0]) * k * all, (a[1] - p * c[1]) * k * all)
      let (vx, vy) = ((b[0] - q * c[0]) * k * all, (b[1] - q * c[1]) * k * all)
      let (sizeU, sizeV) = ((ux * ux + uy * uy).squareRoot(), (vx * vx + vy * vy).squareRoot())
      let (blurU, blurV) = (terms.blurX * sizeU, terms.blurY * sizeV)
      let (column, wu, du, su) = weights(u, 1 / blurU, tables)
      let (row, wv, dv, sv) = weights(v, 1 / blurV, tables)
      // Five rows of five cells; the outermost stand for all beyond.
      var plain = SIMD8<Float>.zero
      var moved = SIMD8<Float>.zero
      var bent = SIMD8<Float>.zero
      let from = grid + ((row &+ 1) &* PhotometricRefinement.line &+ column &+ 1)
      for r in 0..<5 {
        let cells = UnsafeRawPointer(from + r &* PhotometricRefinement.line).loadUnaligned(as: SIMD8<Float>.self)
        plain += cells * wv[r]
        moved += cells * dv[r]
        bent += cells * sv[r]
      }
      let cross = (moved * du).sum()
      // Blur that is not along the axes: of a pattern, it is the mixed derivative that changes.
      let mixed = terms.blurX * terms.blurY * (ux * vx + uy * vy)
      let share = (plain * wu).sum() + mixed * cross
      let shareU = (plain * du).sum()
      let shareV = (moved * wu).sum()
      let bend = share * (1 - share)
      let side = 1 - 2 * share
      let toned = share + (terms.tone + terms.bow * side) * bend
      let slope = 1 + terms.tone * side + terms.bow * (side * side - 2 * bend)
      let light = 1 + terms.slopeX * p + terms.slopeY * q
      let base = terms.dark + terms.contrast * toned
      let rest = level - light * base
      let gain = light * terms.contrast * slope
      let weight = 1 / (1 + rest * rest * believed)
      // How the model changes when the pixel moves; the map moves the other way.
      let gx = -gain * (shareU * ux + shareV * vx)
      let gy = -gain * (shareU * uy + shareV * vy)
      let scaled = 1 / (perspective[0] * p + perspective[1] * q + 1)
      let (hx, hy) = (gx * scaled, gy * scaled)
      let tilt = -(hx * x + hy * y) * self.scale
      let both = gain * mixed * cross
      let a = SIMD4(hx, hx * p, hx * q, hy)
      let b = SIMD4(hy * p, hy * q, tilt * p, tilt * q)
      let c = SIMD4(light, light * toned, base * p, base * q)
      let d = SIMD4(
        gain * (plain * su).sum() + both,
        gain * (bent * wu).sum() + both,
        light * terms.contrast * bend,
        light * terms.contrast * bend * side
      )
      let (aw, bw, cw, dw) = (a * weight, b * weight, c * weight, d * weight)
      for i in 0..<4 {
        sums[i] += a * aw[i]
        sums[4 + 2 * i] += a * bw[i]
        sums[5 + 2 * i] += b * bw[i]
        sums[12 + 3 * i] += a * cw[i]
        sums[13 + 3 * i] += b * cw[i]
        sums[14 + 3 * i] += c * cw[i]
        sums[24 + 4 * i] += a * dw[i]
        sums[25 + 4 * i] += b * dw[i]
        sums[26 + 4 * i] += c * dw[i]
        sums[27 + 4 * i] += d * dw[i]
      }
      sums[40] += aw * rest
      sums[41] += bw * rest
      sums[42] += cw * rest
      sums[43] += dw * rest
      total += weight
      squares += weight * rest * rest
      return true
    }
  }
}
