import CPango
import Sightline

/// Draws on a frame with Cairo.
struct Painter {
  private struct Paint {
    var red: Double
    var green: Double
    var blue: Double
  }

  private static let seen = Paint(red: 0, green: 0.9, blue: 0.4)
  private static let carried = Paint(red: 1, green: 0.6, blue: 0)
  private static let axes = [
    Paint(red: 1, green: 0.2, blue: 0.2), Paint(red: 0.6, green: 1, blue: 0.2), Paint(red: 0.25, green: 0.5, blue: 1),
  ]

  /// How large a text is drawn, pixels.
  static func size(of text: String) -> Vector2 {
    let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1)
    let context = cairo_create(surface)
    defer {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
    }
    let layout = layout(text, context)
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    var (width, height): (Int32, Int32) = (0, 0)
    pango_layout_get_pixel_size(layout, &width, &height)
    return Vector2(Double(width), Double(height))
  }

  /// Draws outlines, axes and labels over a frame.
  static func draw(_ sightings: [Sighting], on frame: inout Frame) {
    let (width, height) = (Int32(frame.width), Int32(frame.height))
    frame.pixels.withUnsafeMutableBufferPointer { pixels in
      let surface = cairo_image_surface_create_for_data(
        pixels.baseAddress,
        CAIRO_FORMAT_RGB24,
        width,
        height,
        4 * width
      )
      let context = cairo_create(surface)
      defer {
        cairo_destroy(context)
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
      }
      // Cairo counts from the edges of pixels.
      cairo_translate(context, 0.5, 0.5)
      cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
      cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
      for sighting in sightings {
        lines(sighting.corners + [sighting.corners[0]], sighting.isSeen ? seen : carried, width: 5, context)
        if let axes = sighting.axes {
          for axis in 0..<3 { lines([axes[0], axes[axis + 1]], Self.axes[axis], width: 3, context) }
        }
      }
      for sighting in sightings { label(sighting, context) }
    }
  }

  private static func lines(_ points: [Vector2], _ paint: Paint, width: Double, _ context: OpaquePointer?) {
    cairo_new_path(context)
    for point in points { cairo_line_to(context, point.x, point.y) }
    cairo_set_source_rgb(context, paint.red, paint.green, paint.blue)
    cairo_set_line_width(context, width)
    cairo_stroke(context)
  }

  private static func label(_ sighting: Sighting, _ context: OpaquePointer?) {
    guard let place = sighting.label else { return }
    let size = size(of: sighting.text)
    cairo_set_source_rgba(context, 0, 0, 0, 0.7)
    cairo_rectangle(context, place.x, place.y, size.x + 12, size.y + 6)
    cairo_fill(context)
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_move_to(context, place.x + 6, place.y + 3)
    let layout = layout(sighting.text, context)
    pango_cairo_show_layout(context, layout)
    g_object_unref(UnsafeMutableRawPointer(layout))
  }

  private static func layout(_ text: String, _ context: OpaquePointer?) -> OpaquePointer {
    // Without memory for a line of text nothing else goes on either.
    guard let layout = pango_cairo_create_layout(context) else { fatalError("no memory") }
    let font = pango_font_description_from_string("Sans 11")
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    pango_layout_set_text(layout, text, Int32(clamping: text.utf8.count))
    pango_layout_set_single_paragraph_mode(layout, 1)
    return layout
  }
}
