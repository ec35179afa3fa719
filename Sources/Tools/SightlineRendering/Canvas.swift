import CPango
import SightlineInput
import SightlineMath
import SightlinePictures

/// A surface to draw on, in points of the display: x right, y down.
final class Canvas {
  /// Pixels.
  let width: Int
  /// Pixels.
  let height: Int
  private let context: OpaquePointer
  private let surface: OpaquePointer

  /// A surface of so many pixels, `scale` of them to a point.
  init(width: Int, height: Int, scale: Double) throws(RenderingError) {
    guard (2...8192).contains(width), (2...8192).contains(height),
      let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)),
      cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let context = cairo_create(surface)
    else { throw .size(width: width, height: height) }
    self.width = width
    self.height = height
    self.surface = surface
    self.context = context
    cairo_scale(context, scale, scale)
    // Equal pictures on screens of any kind: grey edges, no adaptation to a pixel grid.
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  // MARK: State

  /// Draws with another origin and turned clockwise, and goes back.
  func moved(to point: Vector2, turned angle: Double = 0, scaled scale: Double = 1, _ draw: () -> Void) {
    cairo_save(context)
    cairo_translate(context, point.x, point.y)
    cairo_rotate(context, angle)
    if scale != 1 { cairo_scale(context, scale, scale) }
    draw()
    cairo_restore(context)
  }

  /// Draws inside of a circle only.
  func clipped(center: Vector2, radius: Double, _ draw: () -> Void) {
    cairo_save(context)
    cairo_new_path(context)
    cairo_arc(context, center.x, center.y, radius, 0, 2 * pi)
    cairo_clip(context)
    draw()
    cairo_restore(context)
  }

  // MARK: Shapes

  private func set(_ paint: Paint) { cairo_set_source_rgba(context, paint.red, paint.green, paint.blue, paint.alpha) }

  func fillAll(_ paint: Paint) {
    set(paint)
    cairo_paint(context)
  }

  func disc(_ center: Vector2, _ radius: Double, _ paint: Paint) {
    set(paint)
    cairo_new_path(context)
    cairo_arc(context, center.x, center.y, radius, 0, 2 * pi)
    cairo_fill(context)
  }

  func ring(_ center: Vector2, _ radius: Double, _ paint: Paint, width: Double) {
    set(paint)
    cairo_set_line_width(context, width)
    cairo_new_path(context)
    cairo_arc(context, center.x, center.y, radius, 0, 2 * pi)
    cairo_stroke(context)
  }

  /// A slice of a disc about a direction, radians clockwise from the top, that fades outwards.
  func wedge(_ center: Vector2, _ radius: Double, direction: Double, opening: Double, _ inner: Paint, _ outer: Paint) {
    let pattern = cairo_pattern_create_radial(center.x, center.y, 0, center.x, center.y, radius)
    cairo_pattern_add_color_stop_rgba(pattern, 0, inner.red, inner.green, inner.blue, inner.alpha)
    cairo_pattern_add_color_stop_rgba(pattern, 1, outer.red, outer.green, outer.blue, outer.alpha)
    let middle = direction - pi / 2
    cairo_new_path(context)
    cairo_move_to(context, center.x, center.y)
    cairo_arc(context, center.x, center.y, radius, middle - opening / 2, middle + opening / 2)
    cairo_close_path(context)
    cairo_set_source(context, pattern)
    cairo_fill(context)
    cairo_pattern_destroy(pattern)
  }

  func line(_ from: Vector2, _ to: Vector2, _ paint: Paint, width: Double) {
    set(paint)
    cairo_set_line_width(context, width)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    cairo_new_path(context)
    cairo_move_to(context, from.x, from.y)
    cairo_line_to(context, to.x, to.y)
    cairo_stroke(context)
  }

  func polygon(_ points: [Vector2], _ paint: Paint) {
    guard let first = points.first else { return }
    set(paint)
    cairo_new_path(context)
    cairo_move_to(context, first.x, first.y)
    for point in points.dropFirst() { cairo_line_to(context, point.x, point.y) }
    cairo_close_path(context)
    cairo_fill(context)
  }

  /// Draws with broken lines.
  func dashed(_ lengths: [Double], _ draw: () -> Void) {
    cairo_save(context)
    defer { cairo_restore(context) }
    cairo_set_dash(context, lengths, Int32(clamped: lengths.count), 0)
    draw()
  }

  /// A line through points with round corners.
  func line(through points: ArraySlice<Vector2>, _ paint: Paint, width: Double, isClosed: Bool) {
    guard let first = points.first else { return }
    set(paint)
    cairo_set_line_width(context, width)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_new_path(context)
    cairo_move_to(context, first.x, first.y)
    for point in points.dropFirst() { cairo_line_to(context, point.x, point.y) }
    if isClosed { cairo_close_path(context) }
    cairo_stroke(context)
  }

  /// An area of rings, by the even-odd rule.
  func area(_ rings: [ArraySlice<Vector2>], _ paint: Paint) {
    cairo_save(context)
    defer { cairo_restore(context) }
    set(paint)
    cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
    cairo_new_path(context)
    for ring in rings {
      guard let first = ring.first else { continue }
      cairo_move_to(context, first.x, first.y)
      for point in ring.dropFirst() { cairo_line_to(context, point.x, point.y) }
      cairo_close_path(context)
    }
    cairo_fill(context)
  }

  /// A rectangle with round corners, filled and with a thin line around it.
  func box(center: Vector2, width: Double, height: Double, radius: Double, _ fill: Paint, line: Paint) {
    let (x, y) = (center.x - width / 2, center.y - height / 2)
    let r = min(radius, min(width, height) / 2)
    cairo_new_path(context)
    cairo_arc(context, x + width - r, y + r, r, -pi / 2, 0)
    cairo_arc(context, x + width - r, y + height - r, r, 0, pi / 2)
    cairo_arc(context, x + r, y + height - r, r, pi / 2, pi)
    cairo_arc(context, x + r, y + r, r, pi, 3 * pi / 2)
    cairo_close_path(context)
    set(fill)
    cairo_fill_preserve(context)
    set(line)
    cairo_set_line_width(context, 1)
    cairo_stroke(context)
  }

  // MARK: Text

  /// Where a text stands against its point.
  enum Alignment { case left, middle, right }

  /// How a text looks.
  struct Style {
    /// Points.
    var size: Double
    var isBold = false
    var paint = Paint.text
    var alignment = Alignment.middle
  }

  /// Writes a line of text, vertically centred on a point; what is wider than allowed ends with an ellipsis.
  func write(_ text: String, at point: Vector2, _ style: Style, widest: Double = .infinity) {
    guard let layout = pango_cairo_create_layout(context) else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    let font = pango_font_description_new()
    pango_font_description_set_family(font, "Inter, Noto Sans, DejaVu Sans, Sans")
    pango_font_description_set_absolute_size(font, style.size * Double(PANGO_SCALE))
    if style.isBold { pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD) }
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    pango_layout_set_text(layout, text, Int32(clamping: text.utf8.count))
    // One line, whatever the text has in it.
    pango_layout_set_single_paragraph_mode(layout, 1)
    if widest.isFinite {
      pango_layout_set_width(layout, Int32(clamped: max(1, widest) * Double(PANGO_SCALE)))
      pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    }
    var extents = PangoRectangle()
    pango_layout_get_extents(layout, nil, &extents)
    let unit = Double(PANGO_SCALE)
    let (width, height) = (Double(extents.width) / unit, Double(extents.height) / unit)
    let shift: Double =
      switch style.alignment {
      case .left: 0
      case .middle: -width / 2
      case .right: -width
      }
    set(style.paint)
    cairo_move_to(context, point.x + shift - Double(extents.x) / unit, point.y - height / 2)
    pango_cairo_show_layout(context, layout)
  }

  // MARK: Pictures

  /// Draws a picture with its top left corner at a point, `scale` points to a pixel.
  func draw(_ picture: Picture, at origin: Vector2, scale: Double) {
    let source = picture.converted(to: .rgb)
    let stride = Int(cairo_format_stride_for_width(CAIRO_FORMAT_RGB24, Int32(source.width)))
    // Cairo's RGB24 is a 32-bit number 0x00RRGGBB in the machine's byte order.
    var pixels = [UInt32](repeating: 0, count: stride / 4 * source.height)
    for y in 0..<source.height {
      for x in 0..<source.width {
        let k = 3 * (y * source.width + x)
        pixels[y * (stride / 4) + x] =
          UInt32(source.pixels[k]) << 16 | UInt32(source.pixels[k + 1]) << 8 | UInt32(source.pixels[k + 2])
      }
    }
    pixels.withUnsafeMutableBytes { bytes in
      let image = cairo_image_surface_create_for_data(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        CAIRO_FORMAT_RGB24,
        Int32(source.width),
        Int32(source.height),
        Int32(stride)
      )
      cairo_save(context)
      cairo_translate(context, origin.x, origin.y)
      cairo_scale(context, scale, scale)
      cairo_set_source_surface(context, image, 0, 0)
      cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
      cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
      cairo_rectangle(context, 0, 0, Double(source.width), Double(source.height))
      cairo_fill(context)
      cairo_restore(context)
      cairo_surface_destroy(image)
    }
  }

  /// Lays drawn models over what is there.
  func lay(_ models: ModelPicture) {
    cairo_surface_flush(surface)
    let stride = Int(cairo_image_surface_get_stride(surface))
    guard let pixels = cairo_image_surface_get_data(surface) else { return }
    for y in 0..<models.height {
      let row = UnsafeMutableRawPointer(pixels + (models.top + y) * stride)
      for x in 0..<models.width {
        let color = models[x, y]
        guard color.w > 0 else { continue }
        let place = 4 * (models.left + x)
        let pixel = row.load(fromByteOffset: place, as: UInt32.self)
        func part(_ shift: UInt32, _ value: Float) -> UInt32 {
          let below = Float((pixel >> shift) & 255)
          return UInt32(clamped: (value * 255 + below * (1 - color.w)).rounded()).clamped(to: 0...255) << shift
        }
        let mixed = part(16, color.x) | part(8, color.y) | part(0, color.z)
        row.storeBytes(of: mixed, toByteOffset: place, as: UInt32.self)
      }
    }
    cairo_surface_mark_dirty(surface)
  }

  // MARK: Result

  /// Lends the pixels: rows of `width` four-byte pixels, blue first on little-endian machines.
  func withPixels<Result>(_ body: (UnsafeRawBufferPointer, _ stride: Int) throws -> Result) rethrows -> Result {
    cairo_surface_flush(surface)
    let stride = Int(cairo_image_surface_get_stride(surface))
    return try body(
      UnsafeRawBufferPointer(start: cairo_image_surface_get_data(surface), count: stride * height),
      stride
    )
  }

  /// What was drawn.
  var picture: Picture {
    var bytes = [UInt8](repeating: 0, count: 3 * width * height)
    withPixels { pixels, stride in
      for y in 0..<height {
        for x in 0..<width {
          let pixel = pixels.loadUnaligned(fromByteOffset: y * stride + 4 * x, as: UInt32.self)
          let k = 3 * (y * width + x)
          bytes[k] = UInt8(truncatingIfNeeded: pixel >> 16)
          bytes[k + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
          bytes[k + 2] = UInt8(truncatingIfNeeded: pixel)
        }
      }
    }
    return Picture(width: width, height: height, layout: .rgb, pixels: bytes)
  }
}
