import SightlineWasm

/// A world's content as the page writes it into the engine's memory.
struct WrittenWorld {
  struct Place {
    var id: String? = "5"
    var title = ""
    var category: String?
    /// Latitude, longitude, altitude, what it is measured from, offset, visual, sizes of both labels, pivot, on the radar, visibility radius,
    /// action and its address.
    var numbers: [Double] = [48.41, 10, 0, 1, 0, 0, 0, 0, 100, 30, 80, 26, 7, 1, 0, 2, 6]
    /// Whether it goes along with the user.
    var followsUser = false
    /// What it stands on: kind and two numbers, width, and how that hangs: facing, elevation, roll.
    var print: [Double] = Self.noPrint
    /// Its model's turns and its scale.
    var model: [Double] = [0, 0, 0, 1]
    /// Its size in the world, and how it stands there: heading, pitch, roll.
    var standing: [Double] = [.nan, .nan, .nan, 0, 0]
    /// Overlays that it names.
    var names: [String] = []

    static let noPrint = [-1, 0, 0, 0, .nan, 0, 0]
    /// A marker 0.2 m wide.
    static func marker(_ id: Double, facing: Double = .nan) -> [Double] { [0, 11, id, 0.2, facing, 0, 0] }

    /// In the order of the layout.
    var all: [Double] {
      var all = Array(numbers[..<4])
      all.append(followsUser ? 1 : 0)
      all += numbers[4..<13]
      for part in [print, model, standing] { all += part }
      return all + numbers[13...]
    }
  }

  struct Overlay {
    var id: String?
    var isHidden = false
    var action: [Double] = [0, -1]
  }

  struct Part {
    var place = 0
    var shape = 0
    var isArea = false
    var corners: [[Double]]
  }

  /// Radar's range and whether there is one, seconds, metres, refresh address, whether names of what is on anchors are shown.
  var head: [Double] = [1000, 1, 0, 0, -1, 0]
  var places: [Place] = []
  var overlays: [Overlay] = []
  var parts: [Part] = []

  var numbers: [Double] {
    let count = { (text: String?) in text.map { Double($0.utf16.count) } ?? -1 }
    return head + overlays.flatMap { [count($0.id), $0.isHidden ? 1 : 0] + $0.action }
      + places.flatMap { [count($0.id), count($0.title), count($0.category)] + $0.all + [Double($0.names.count)] }
      + places.flatMap { $0.names.map { count($0) } }
      + parts.flatMap { [Double($0.place), Double($0.shape), $0.isArea ? 1 : 0, Double($0.corners.count)] }
      + parts.flatMap { $0.corners.flatMap { $0 } }
  }

  /// UTF-16 code units.
  var texts: [[UInt16]] {
    let all = overlays.map { $0.id ?? "" } + places.flatMap { [$0.id ?? "", $0.title, $0.category ?? ""] + $0.names }
    return all.map { [UInt16]($0.utf16) }
  }

  var counts: [Int32] {
    [
      places.count, overlays.count, places.reduce(0) { $0 + $1.names.count }, parts.count,
      parts.reduce(0) { $0 + $1.corners.count }, texts.reduce(0) { $0 + $1.count },
    ].map { Int32($0) }
  }

  /// Writes numbers (others, if given) and texts; answers whether there was room.
  func write(_ other: [Double]? = nil) -> Bool {
    let counts = counts
    guard let base = sl_world_begin(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]) else {
      return false
    }
    for (k, value) in (other ?? numbers).enumerated() { base[k] = value }
    let units = UnsafeMutableRawPointer(sl_world_texts())
    for (k, unit) in texts.joined().enumerated() { units.storeBytes(of: unit, toByteOffset: 2 * k, as: UInt16.self) }
    return true
  }
}
