import SightlineInput
import SightlineMath
import SightlineOcclusion
import SightlineScene

extension FramePainter {
  func drawLeader(from: Vector2, to: Vector2, _ opacity: Double, _ isSelected: Bool, _ canvas: Canvas) {
    let paint = (isSelected ? Paint.pick : Paint(0xFFFFFF, 0.85)).faded(opacity)
    canvas.line(from, to, Paint.shade.faded(opacity), width: 3.2)
    canvas.line(from, to, paint, width: 1.4)
  }

  /// Dashes of what is not seen whole, as the page draws them.
  static let dashes = [4.5, 3.0]

  /// A broken line around the box of what stands behind buildings.
  private func mark(
    _ visibility: Visibility,
    width: Double,
    height: Double,
    radius: Double,
    _ opacity: Double,
    _ canvas: Canvas
  ) {
    guard visibility != .seen else { return }
    canvas.dashed(Self.dashes) {
      canvas.box(
        center: .zero,
        width: width - 2,
        height: height - 2,
        radius: radius,
        Paint(0, 0),
        line: Paint.hiddenLine.faded(opacity)
      )
    }
  }

  func drawLabel(_ item: SceneItem, _ scene: RenderedScene, _ canvas: Canvas) {
    let frame = scene.frame
    let paint = item.isSelected ? Paint.pick : Paint.accent
    canvas.disc(item.anchor, 4.6, Paint.shade.faded(item.opacity))
    canvas.disc(item.anchor, 3.2, paint.faded(item.opacity))
    canvas.moved(to: item.center, turned: frame.roll.radians, scaled: item.scale) {
      let (width, height) = (item.width / item.scale, item.height / item.scale)
      let glass = item.visibility == .hidden ? Paint.hiddenGlass : Paint.glass
      canvas.box(
        center: .zero,
        width: width,
        height: height,
        radius: 9,
        item.isSelected ? Paint.pick.faded(0.95 * item.opacity) : glass.faded(item.opacity),
        line: Paint.glassLine.faded(item.opacity)
      )
      mark(item.visibility, width: width, height: height, radius: 9, item.opacity, canvas)
      let seen = item.visibility == .hidden ? 0.82 : 1
      let ink = item.isSelected ? Paint(0x14110A) : Paint.text.faded(seen)
      let second = item.isSelected ? Paint(0x4A3D12) : Paint.secondText
      let index = Int(item.feature)
      let name = scene.texts.indices.contains(index) ? scene.texts[index] : ""
      let distance = Self.distance(item.distance)
      let widest = width - 14
      // A low label has one line.
      if name.isEmpty || height < 36 {
        let text = name.isEmpty ? distance : name
        canvas.write(text, at: .zero, .init(size: 13, isBold: true, paint: ink.faded(item.opacity)), widest: widest)
      } else {
        let up = Vector2(0, -min(8, height * 0.2))
        canvas.write(name, at: up, .init(size: 13, isBold: true, paint: ink.faded(item.opacity)), widest: widest)
        canvas.write(distance, at: up * -1, .init(size: 11, paint: second.faded(item.opacity)), widest: widest)
      }
    }
  }

  /// The label of what stands on a marker or picture; where that is a model or a picture itself, the dot that stands for its name.
  func drawAnchored(_ item: AnchoredItem, _ scene: RenderedScene, _ canvas: Canvas) {
    guard let box = item.label, item.opacity > 0 else { return }
    let center = Vector2(box.x + box.width / 2, box.y + box.height / 2)
    let isSelected = scene.frame.selected == item.feature
    if item.level == .dot {
      canvas.disc(center, 8, Paint.shade.faded(item.opacity))
      canvas.disc(center, 6, Paint.accent.faded(item.opacity))
      return
    }
    canvas.box(
      center: center,
      width: box.width,
      height: box.height,
      radius: 9,
      (isSelected ? Paint.pick.faded(0.95) : Paint.glass).faded(item.opacity),
      line: Paint.glassLine.faded(item.opacity)
    )
    let index = Int(item.feature)
    let name = scene.texts.indices.contains(index) ? scene.texts[index] : ""
    let ink = isSelected ? Paint(0x14110A) : Paint.text
    canvas.write(
      name,
      at: center,
      .init(size: 13, isBold: true, paint: ink.faded(item.opacity)),
      widest: max(0, box.width - 14)
    )
  }

  func drawCluster(_ cluster: SceneCluster, _ frame: SceneFrame, _ canvas: Canvas) {
    canvas.moved(to: cluster.center, turned: frame.roll.radians) {
      let line = cluster.isOpen ? Paint.accent : Paint.glassLine
      let visibility = frame.visibility(of: cluster)
      let isHidden = visibility == .hidden
      canvas.box(
        center: .zero,
        width: cluster.width,
        height: cluster.height,
        radius: 14,
        (isHidden ? Paint.hiddenGlass : Paint.glass).faded(cluster.opacity),
        line: line.faded(cluster.opacity)
      )
      mark(visibility, width: cluster.width, height: cluster.height, radius: 14, cluster.opacity, canvas)
      let text = "\(cluster.members.count) · \(Self.distance(cluster.nearestDistance))"
      canvas.write(
        text,
        at: .zero,
        .init(size: 12, isBold: true, paint: Paint.accent.faded(cluster.opacity * (isHidden ? 0.82 : 1))),
        widest: cluster.width - 8
      )
    }
  }

  func drawArrow(_ arrow: EdgeArrow, _ frame: SceneFrame, _ canvas: Canvas) {
    let paint = arrow.isForSelection ? Paint.pick : Paint.accent
    canvas.disc(arrow.position, 17, .glass)
    if frame.visibility(of: arrow) == .seen {
      canvas.ring(arrow.position, 17, .glassLine, width: 1)
    } else {
      canvas.dashed(Self.dashes) { canvas.ring(arrow.position, 17, .hiddenLine, width: 1.5) }
    }
    canvas.moved(to: arrow.position, turned: arrow.direction.radians) {
      canvas.polygon([Vector2(0, -25), Vector2(7, -15.5), Vector2(-7, -15.5)], paint)
    }
    let distance = Self.distance(arrow.nearestDistance)
    let single = arrow.isForSelection || arrow.count == 1
    if !single {
      canvas.write("\(arrow.count)", at: arrow.position + Vector2(0, -5), .init(size: 12, isBold: true))
    }
    canvas.write(
      distance,
      at: arrow.position + Vector2(0, single ? 0 : 7),
      .init(size: single ? 10 : 8.5, isBold: single, paint: single ? .text : .secondText)
    )
  }

  /// `8 m`, `240 m`, `1.2 km`, `35 km`.
  static func distance(_ metres: Double) -> String {
    guard metres.isFinite else { return "" }
    if metres < 10 { return "\(Int(clamped: metres.rounded())) m" }
    if metres < 995 {
      return "\(Int(clamped: (metres / (metres < 100 ? 1 : 10)).rounded()) * (metres < 100 ? 1 : 10)) m"
    }
    if metres < 9950 {
      let tenths = Int(clamped: (metres / 100).rounded())
      return "\(tenths / 10).\(tenths % 10) km"
    }
    return "\(Int(clamped: (metres / 1000).rounded())) km"
  }
}
