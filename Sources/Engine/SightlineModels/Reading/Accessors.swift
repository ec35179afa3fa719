import SightlineInput

/// How numbers lie in a buffer: glTF 2.0, section 3.6.2.
struct Accessor {
  enum Component: Int {
    case byte = 5120
    case unsignedByte = 5121
    case short = 5122
    case unsignedShort = 5123
    case unsignedInt = 5125
    case float = 5126

    var size: Int {
      switch self {
      case .byte, .unsignedByte: 1
      case .short, .unsignedShort: 2
      case .unsignedInt, .float: 4
      }
    }
  }
  let entry: ModelReader.Entry
  let component: Component
  /// Numbers in an element: 1 … 4 for scalars and vectors.
  let width: Int
  let count: Int
  let isNormalized: Bool
}

extension ModelReader {
  /// What an accessor says of itself; the user is named when it has not got the right number of components.
  func accessor(
    _ index: Int,
    widths: ClosedRange<Int>,
    user: Entry,
    _ property: StaticString
  ) throws(ModelError)
    -> Accessor
  {
    let entry = Entry(value: accessors[index], part: .accessor, index: index)
    let kind = try neededCount(entry, "componentType")
    guard let component = Accessor.Component(rawValue: kind) else { throw error(.value, entry, "componentType") }
    let count = try neededCount(entry, "count")
    guard count > 0 else { throw error(.value, entry, "count") }
    guard json.member(entry.value, "type") != nil else { throw error(.missing, entry, "type") }
    let width: Int
    if says(entry, "type", "SCALAR") {
      width = 1
    } else if says(entry, "type", "VEC2") {
      width = 2
    } else if says(entry, "type", "VEC3") {
      width = 3
    } else if says(entry, "type", "VEC4") {
      width = 4
    } else if says(entry, "type", "MAT2") || says(entry, "type", "MAT3") || says(entry, "type", "MAT4") {
      // Nothing that is read here may be a matrix.
      throw error(.format, user, property)
    } else {
      throw error(.value, entry, "type")
    }
    guard widths.contains(width) else { throw error(.format, user, property) }
    let isNormalized = try flag(entry, "normalized")
    return Accessor(entry: entry, component: component, width: width, count: count, isNormalized: isNormalized)
  }

  /// All numbers of an accessor as they are stored, whole ones brought to −1 … 1 or 0 … 1 when they are normalised.
  func floats(_ a: Accessor) throws(ModelError) -> [Float] {
    var result = [Float](repeating: 0, count: a.count * a.width)
    if let source = try source(a) {
      for index in 0..<a.count {
        let p = source.base + index * source.stride
        for k in 0..<a.width { result[index * a.width + k] = Self.float(p, k, a) }
      }
    }
    try forEachSparse(a) { place, p in
      for k in 0..<a.width { result[place * a.width + k] = Self.float(p, k, a) }
    }
    for value in result where !value.isFinite { throw error(.notFinite, a.entry) }
    return result
  }

  /// All whole numbers of a scalar accessor.
  func integers(_ a: Accessor) throws(ModelError) -> [UInt32] {
    var result = [UInt32](repeating: 0, count: a.count)
    if let source = try source(a) {
      for index in 0..<a.count { result[index] = Self.integer(source.base + index * source.stride, a.component) }
    }
    try forEachSparse(a) { place, p in result[place] = Self.integer(p, a.component) }
    return result
  }

  private typealias Source = (base: UnsafePointer<UInt8>, stride: Int)

  /// Where the elements lie; `nil` when they are all zero.
  private func source(_ a: Accessor) throws(ModelError) -> Source? {
    guard let view = try reference(a.entry, "bufferView", into: views.count) else { return nil }
    let offset = try count(a.entry, "byteOffset") ?? 0
    let size = a.component.size * a.width
    let stride = views[view].stride == 0 ? size : views[view].stride
    guard stride >= size else { throw error(.outside, a.entry, "bufferView") }
    return try elements(view, offset: offset, count: a.count, size: size, stride: stride, a.entry, "byteOffset")
  }

  private func elements(
    _ view: Int,
    offset: Int,
    count: Int,
    size: Int,
    stride: Int,
    _ entry: Entry,
    _ property: StaticString
  ) throws(ModelError) -> Source {
    let end = stride.checkedMultiply(count - 1)?.checkedAdd(size)?.checkedAdd(offset)
    let bytes = bytes(of: views[view])
    guard let end, end <= bytes.count, let base = bytes.baseAddress else { throw error(.outside, entry, property) }
    return (base + offset, stride)
  }

  /// Calls back for each element that a sparse accessor replaces.
  private func forEachSparse(
    _ a: Accessor,
    _ body: (_ place: Int, _ element: UnsafePointer<UInt8>) -> Void
  ) throws(ModelError) {
    guard let sparse = try object(a.entry, "sparse") else { return }
    let count = try neededCount(sparse, "count")
    guard count > 0, count <= a.count else { throw error(.value, sparse, "count") }
    guard let indices = try object(sparse, "indices") else { throw error(.missing, sparse, "indices") }
    guard let values = try object(sparse, "values") else { throw error(.missing, sparse, "values") }
    let kind = Accessor.Component(rawValue: try neededCount(indices, "componentType"))
    guard let kind, kind == .unsignedByte || kind == .unsignedShort || kind == .unsignedInt else {
      throw error(.value, indices, "componentType")
    }
    let places = try sparseSource(indices, count, kind.size)
    let elements = try sparseSource(values, count, a.component.size * a.width)
    for k in 0..<count {
      let place = Int(checked: Self.integer(places.base + k * places.stride, kind))
      guard let place, place < a.count else { throw error(.reference, indices, "bufferView") }
      body(place, elements.base + k * elements.stride)
    }
  }

  private func sparseSource(_ entry: Entry, _ count: Int, _ size: Int) throws(ModelError) -> Source {
    guard let view = try reference(entry, "bufferView", into: views.count) else {
      throw error(.missing, entry, "bufferView")
    }
    let offset = try self.count(entry, "byteOffset") ?? 0
    return try elements(view, offset: offset, count: count, size: size, stride: size, entry, "byteOffset")
  }

  private static func float(_ p: UnsafePointer<UInt8>, _ k: Int, _ a: Accessor) -> Float {
    switch a.component {
    case .float: return Float(bitPattern: integer(p + 4 * k, .float))
    case .unsignedInt: return Float(integer(p + 4 * k, .unsignedInt))
    case .unsignedByte: return Float(p[k]) / (a.isNormalized ? 255 : 1)
    case .unsignedShort: return Float(integer(p + 2 * k, .unsignedShort)) / (a.isNormalized ? 65535 : 1)
    case .byte:
      let value = Float(Int8(bitPattern: p[k]))
      return a.isNormalized ? max(value / 127, -1) : value
    case .short:
      let value = Float(Int16(bitPattern: UInt16(truncatingIfNeeded: integer(p + 2 * k, .unsignedShort))))
      return a.isNormalized ? max(value / 32767, -1) : value
    }
  }

  /// The bits of a little-endian number; nothing need be aligned.
  private static func integer(_ p: UnsafePointer<UInt8>, _ component: Accessor.Component) -> UInt32 {
    switch component.size {
    case 1: UInt32(p[0])
    case 2: UInt32(p[0]) | UInt32(p[1]) << 8
    default: UInt32(p[0]) | UInt32(p[1]) << 8 | UInt32(p[2]) << 16 | UInt32(p[3]) << 24
    }
  }
}
