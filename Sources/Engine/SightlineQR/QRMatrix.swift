/// The modules of a code, without the quiet zone.
public struct QRMatrix: Equatable, Sendable {
  /// Modules a side.
  public let size: Int
  /// Row by row, 1 is dark.
  var modules: [UInt8]

  /// All light.
  /// - Precondition: the size is 1 … 177.
  public init(size: Int) {
    precondition(size > 0 && size <= 177)
    self.size = size
    modules = [UInt8](repeating: 0, count: size * size)
  }

  /// Whether a module is dark.
  /// - Precondition: it lies in the code.
  public subscript(x: Int, y: Int) -> Bool {
    get {
      precondition(x >= 0 && x < size && y >= 0 && y < size)
      return modules[y * size + x] != 0
    }
    set {
      precondition(x >= 0 && x < size && y >= 0 && y < size)
      modules[y * size + x] = newValue ? 1 : 0
    }
  }

  /// The code with columns and rows exchanged: what a mirror makes of it, but for a turn.
  var transposed: QRMatrix {
    var result = QRMatrix(size: size)
    for y in 0..<size { for x in 0..<size { result.modules[x * size + y] = modules[y * size + x] } }
    return result
  }
}

/// Where a version's patterns are and where its data goes.
struct QRLayout: Sendable {
  let version: QRVersion
  /// The patterns that are the same in every code of the version; what is left is light.
  private(set) var patterns: QRMatrix
  /// 1 for modules that hold no data: patterns, and the places of format and version information.
  private(set) var reserved: [UInt8]

  init(_ version: QRVersion) {
    self.version = version
    let size = version.size
    patterns = QRMatrix(size: size)
    reserved = [UInt8](repeating: 0, count: size * size)
    for i in 0..<size {
      set(i, 6, dark: i % 2 == 0)
      set(6, i, dark: i % 2 == 0)
    }
    for (cx, cy) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      for dy in -4...4 {
        for dx in -4...4 {
          let (x, y) = (cx + dx, cy + dy)
          guard x >= 0, y >= 0, x < size, y < size else { continue }
          let ring = max(abs(dx), abs(dy))
          set(x, y, dark: ring != 2 && ring != 4)
        }
      }
    }
    let centers = version.alignmentCenters
    for cy in centers {
      for cx in centers where !isFinder(cx, cy) {
        for dy in -2...2 { for dx in -2...2 { set(cx + dx, cy + dy, dark: max(abs(dx), abs(dy)) != 1) } }
      }
    }
    for copy in 0..<2 {
      for bit in 0..<15 {
        let (x, y) = QRLayout.formatModule(bit, copy: copy, size: size)
        set(x, y, dark: false)
      }
    }
    set(8, size - 8, dark: true)
    guard version.number >= 7 else { return }
    for bit in 0..<18 {
      let (x, y) = QRLayout.versionModule(bit, size: size)
      set(x, y, dark: false)
      set(y, x, dark: false)
    }
  }

  /// Whether an alignment pattern's place is taken by a finder pattern.
  func isFinder(_ cx: Int, _ cy: Int) -> Bool {
    let far = version.size - 7
    return (cx == 6 && cy == 6) || (cx == 6 && cy == far) || (cx == far && cy == 6)
  }

  private mutating func set(_ x: Int, _ y: Int, dark: Bool) {
    patterns[x, y] = dark
    reserved[y * version.size + x] = 1
  }

  /// Column and row of a bit of the format information, bit 0 the lowest; two copies.
  static func formatModule(_ bit: Int, copy: Int, size: Int) -> (Int, Int) {
    if copy == 1 { return bit < 8 ? (size - 1 - bit, 8) : (8, size - 15 + bit) }
    if bit < 6 { return (8, bit) }
    if bit < 8 { return (8, bit + 1) }
    return bit == 8 ? (7, 8) : (14 - bit, 8)
  }

  /// Column and row of a bit of the version information at the top right; the other copy has them exchanged.
  static func versionModule(_ bit: Int, size: Int) -> (Int, Int) { (size - 11 + bit % 3, bit / 3) }

  /// Calls for each module that holds data, in the order of the bits: two columns at a time from the right, upwards first.
  @inline(__always)
  func forEachDataModule(_ body: (_ index: Int) -> Void) {
    let size = version.size
    var right = size - 1
    var isUpwards = true
    while right > 0 {
      if right == 6 { right = 5 }
      for step in 0..<size {
        let row = (isUpwards ? size - 1 - step : step) * size
        if reserved[row + right] == 0 { body(row + right) }
        if reserved[row + right - 1] == 0 { body(row + right - 1) }
      }
      isUpwards.toggle()
      right -= 2
    }
  }
}

/// Whether a mask inverts a module (ISO/IEC 18004, table 10).
@inline(__always)
func maskInverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
  switch mask {
  case 0: (x + y) % 2 == 0
  case 1: y % 2 == 0
  case 2: x % 3 == 0
  case 3: (x + y) % 3 == 0
  case 4: (x / 3 + y / 2) % 2 == 0
  case 5: x * y % 2 + x * y % 3 == 0
  case 6: (x * y % 2 + x * y % 3) % 2 == 0
  default: ((x + y) % 2 + x * y % 3) % 2 == 0
  }
}

/// Format and version information: few bits, guarded by BCH codes (ISO/IEC 18004, annexes C and D).
enum QRInformation {
  /// The 15 bits for level and mask.
  static func format(_ level: QRLevel, mask: Int) -> Int {
    let data = level.formatBits << 3 | mask
    return (data << 10 | remainder(data << 10, by: 0x537, degree: 10)) ^ 0x5412
  }

  /// The 18 bits for a version from 7 on.
  static func version(_ number: Int) -> Int { number << 12 | remainder(number << 12, by: 0x1F25, degree: 12) }

  private static func remainder(_ value: Int, by generator: Int, degree: Int) -> Int {
    var value = value
    var bit = 17
    while bit >= degree {
      if value >> bit & 1 == 1 { value ^= generator << (bit - degree) }
      bit -= 1
    }
    return value
  }
}
