import SightlineFormats
import Testing

@Suite struct GDDFRequestTests {
  private var full: GDDFRequest {
    var request = GDDFRequest(event: .refreshOnPress)
    request.eventSource = "q4 +ä&="
    request.latitude = 48.4042981
    request.longitude = -0.00001
    request.altitude = 479.005
    request.bearing = -179.5
    request.pitch = 0
    request.roll = -0.0000001
    request.width = 390
    request.height = 844
    request.userID = "7f3a"
    request.timeMilliseconds = 1_767_225_600_123
    return request
  }

  @Test func `fields stand in the clients' order, numbers are fixed and never exponents`() {
    #expect(
      full.encoded()
        == "event=refreshOnPress&eventSrc=q4%20%2B%C3%A4%26%3D&lat=48.4042981&lon=-0.0000100&alt=479.01&bearing=-179.500000"
        + "&pitch=0.000000&roll=0.000000&width=390&height=844&uid=7f3a&time=1767225600123"
    )
    #expect(GDDFRequest(event: .initial).encoded() == "event=init&eventSrc=NULL")
  }

  @Test func `what was encoded is decoded`() {
    let (request, problems) = GDDFRequest.decode(Array(full.encoded().utf8))
    var expected = full
    expected.altitude = 479.01
    expected.longitude = -0.00001
    expected.roll = 0
    #expect(request == expected && problems.isEmpty)
  }

  @Test func `the iPhone's form is understood: any order, raw plus, trailing ampersand, odd time`() {
    let body =
      "time=-1234567&lat=51.99&uid=ABC+D&height=480&width=320&roll=1.5&eventSrc=NULL&alt=2&lon=4.37&event=init&pitch=-3&bearing=12&"
    let (request, problems) = GDDFRequest.decode(Array(body.utf8))
    #expect(problems.isEmpty)
    #expect(request.event == .initial && request.eventSource == nil && request.latitude == 51.99)
    #expect(request.userID == "ABC D" && request.timeMilliseconds == -1_234_567 && request.width == 320)
  }

  @Test func `Gamaray's form is understood: nothing encoded, no roll, bearing to 359, exponents`() {
    let body =
      "event=refreshOnTime&eventSrc=NULL&lat=1.0E-5&lon=-1.5E1&alt=0.0&bearing=270&pitch=170&width=800&height=454&uid=UID77&time=abc"
    let (request, problems) = GDDFRequest.decode(Array(body.utf8))
    #expect(problems.isEmpty)
    #expect(request.latitude == 0.00001 && request.longitude == -15 && request.altitude == 0)
    #expect(request.bearing == -90 && request.pitch == 90 && request.roll == nil && request.timeMilliseconds == nil)
  }

  @Test(
    arguments: [
      ("lat=45.0&lon=-85.0&alt=0.0", nil), ("lat=45&lon=-85&alt=0", nil), ("lat=45&lon=-85&alt=1", 45),
      ("lat=45&lon=-85", 45),
      ("lat=45.0001&lon=-85&alt=0", 45.0001), ("lat=5", nil), ("lat=91&lon=1", nil), ("lat=nan&lon=1", nil), ("", nil),
    ] as [(String, Double?)]
  )
  func `exactly 45, -85, 0 counts as unknown`(body: String, latitude: Double?) {
    #expect(GDDFRequest.decode(Array(body.utf8)).request.latitude == latitude)
  }

  /// Found by the fuzzer on 2026-11-21: an altitude of 4 µm was rounded to the unknown position.
  @Test func `who really stands at the unknown position is not lost`() {
    var request = GDDFRequest(event: .initial)
    request.latitude = 45
    request.longitude = -85
    request.altitude = 3.9e-6
    let read = GDDFRequest.decode(Array(request.encoded().utf8)).request
    #expect(read.latitude == 45 && read.longitude == -84.9999999 && read.altitude == 0)
  }

  @Test func `unusable fields are named`() {
    let body = "event=start&lat=91&lon=x&alt=1,5&width=-1&height=1e9&bearing=inf"
    let (request, problems) = GDDFRequest.decode(Array(body.utf8))
    #expect(request == GDDFRequest(event: nil))
    #expect(Set(problems.map(\.path)) == ["event", "lat", "lon", "alt", "width", "height", "bearing"])
    #expect(problems.allSatisfy { $0.severity == .warning && $0.code == "field.type" })
  }

  @Test func `broken escapes stay as they are, the first of two fields counts`() {
    let (request, _) = GDDFRequest.decode(Array("uid=a%2&uid=b&eventSrc=%zz%&=&&x".utf8))
    #expect(request.userID == "a%2" && request.eventSource == "%zz%")
    #expect(GDDFRequest.decode([0x75, 0x69, 0x64, 0x3D, 0xFF, 0x25, 0x46, 0x46]).request.userID == "\u{FFFD}\u{FFFD}")
  }
}
