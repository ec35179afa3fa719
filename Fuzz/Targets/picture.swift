import SightlinePictures

/// Picture files: header, limits, decoding into each layout, writing as PNG and reading that again.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = PictureLimits()
  limits.pixels = 1 << 18
  for layout in [PixelLayout.gray, .rgb, .rgba] {
    do throws(PictureError) {
      let picture = try Picture(decoding: bytes, as: layout, limits: limits)
      precondition(picture.layout == layout && picture.pixels.count == picture.width * picture.height * layout.rawValue)
      precondition(picture.width * picture.height <= limits.pixels, "larger than allowed")
      let again = try Picture(decoding: picture.png(), as: layout)
      precondition(again == picture, "differs when written and read again")
    } catch {
      precondition(error.description.hasSuffix("."), "refused without a reason")
    }
  }
  return 0
}
