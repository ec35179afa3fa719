import SightlineInput
import SightlineMath

/// One reading of a file: the JSON text, the buffers, and the model so far.
struct ModelReader {
  /// An object of the text that errors are named by.
  struct Entry {
    let value: Int
    let part: ModelError.Part
    var index = -1
    var subindex = -1
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let json: JSONText
  let jsonStart: Int
  let binary: Range<Int>
  let limits: ModelLimits
  let root: Entry
  var model = Model()
  var buffers = BufferStore()
  var views: [BufferView] = []
  var accessors: [Int] = []
  var vertexCount = 0
  var indexCount = 0
  var keyCount = 0
  /// Bytes of pictures that do not lie in the file as they are.
  var pictureBytes = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ModelLimits) throws(ModelError) {
    let container = try GLBContainer(bytes, limits: limits)
    self.bytes = bytes
    self.limits = limits
    binary = container.binary
    jsonStart = container.json.lowerBound
    let start = container.json.lowerBound
    do throws(JSONText.Failure) {
      json = try JSONText(UnsafeBufferPointer(rebasing: bytes[container.json]), limit: limits.values)
    } catch {
      switch error {
      case .syntax(let offset): throw ModelError(.syntax, .root, offset: start + offset)
      case .limit(let offset): throw ModelError(.limit, .root, offset: start + offset)
      }
    }
    root = Entry(value: 0, part: .root)
    guard json.values[0].kind == .object else { throw ModelError(.type, .root, offset: start) }
  }

  mutating func read() throws(ModelError) -> Model {
    do throws(ModelError) {
      let model = try readParts()
      guard json.budget.isIntact else { throw error(.limit, root) }
      return model
    } catch {
      // What is missing after the steps ran out may well be there.
      throw json.budget.isIntact ? error : ModelError(.limit, .root, offset: jsonStart)
    }
  }

  private mutating func readParts() throws(ModelError) -> Model {
    try readAsset()
    try readBuffers()
    try readImages()
    try readMaterials()
    try readMeshes()
    try readNodes()
    try readAnimations()
    try readScene()
    return model
  }

  private mutating func readAsset() throws(ModelError) {
    guard let value = json.member(0, "asset") else { throw error(.missing, root, "asset") }
    let asset = Entry(value: value, part: .asset)
    try expect(.object, asset.value, root, "asset")
    guard let version = json.member(value, "version") else { throw error(.missing, asset, "version") }
    guard let text = json.string(version) else { throw error(.type, asset, "version") }
    guard text.count >= 2, text[0] == UInt8(ascii: "2"), text[1] == UInt8(ascii: ".") else {
      throw error(.version, asset, "version")
    }
    for value in try list(root, "extensionsRequired") {
      guard json.values[value].kind == .string else { throw error(.type, root, "extensionsRequired") }
      if !Self.supported.contains(where: { json.isEqual(value, $0) }) {
        throw ModelError(.extension, .root, property: "extensionsRequired", offset: offset(value))
      }
    }
    for value in try list(root, "extensionsUsed") where !Self.supported.contains(where: { json.isEqual(value, $0) }) {
      model.omissions.insert(.extensions)
    }
    if !(try list(root, "cameras")).isEmpty { model.omissions.insert(.cameras) }
    if !(try list(root, "skins")).isEmpty { model.omissions.insert(.skins) }
  }

  private static var supported: [StaticString] {
    [
      "KHR_materials_unlit", "KHR_materials_emissive_strength", "KHR_texture_transform", "KHR_mesh_quantization",
      "EXT_texture_webp",
    ]
  }
}

// Properties: each with the error that says where it stands.
extension ModelReader {
  /// Where a value stands in the file.
  func offset(_ value: Int) -> Int { jsonStart + Int(json.values[value].start) }

  /// An error about an entry or one of its properties.
  func error(_ code: ModelError.Code, _ entry: Entry, _ property: StaticString = "") -> ModelError {
    let value = json.member(entry.value, property) ?? entry.value
    return ModelError(code, entry.part, entry.index, entry.subindex, property: property, offset: offset(value))
  }

  func expect(
    _ kind: JSONText.Kind,
    _ value: Int,
    _ entry: Entry,
    _ property: StaticString
  ) throws(ModelError) {
    guard json.values[value].kind == kind else {
      throw ModelError(.type, entry.part, entry.index, entry.subindex, property: property, offset: offset(value))
    }
  }

  /// The elements of an array; none when it is not there.
  func list(_ entry: Entry, _ property: StaticString) throws(ModelError) -> [Int] {
    guard let value = json.member(entry.value, property) else { return [] }
    try expect(.array, value, entry, property)
    return json.elements(value)
  }

  /// The objects of a list at the top of the text.
  func entries(_ part: ModelError.Part, _ property: StaticString) throws(ModelError) -> [Entry] {
    let values = try list(root, property)
    var result: [Entry] = []
    result.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      let entry = Entry(value: value, part: part, index: index)
      try expect(.object, value, entry, "")
      result.append(entry)
    }
    return result
  }

  /// An object within an entry, named as the entry is.
  func object(_ entry: Entry, _ property: StaticString) throws(ModelError) -> Entry? {
    guard let value = json.member(entry.value, property) else { return nil }
    try expect(.object, value, entry, property)
    return Entry(value: value, part: entry.part, index: entry.index, subindex: entry.subindex)
  }

  func number(_ entry: Entry, _ property: StaticString) throws(ModelError) -> Double? {
    guard let value = json.member(entry.value, property) else { return nil }
    guard let number = json.number(value) else { throw error(.type, entry, property) }
    guard number.isFinite, number.magnitude <= Double(Float.greatestFiniteMagnitude) else {
      throw error(.value, entry, property)
    }
    return number
  }

  /// A number between 0 and 1.
  func share(_ entry: Entry, _ property: StaticString) throws(ModelError) -> Float? {
    guard let value = try number(entry, property) else { return nil }
    guard value >= 0, value <= 1 else { throw error(.value, entry, property) }
    return Float(value)
  }

  /// A whole number that is not negative and fits 32 bits.
  func count(_ entry: Entry, _ property: StaticString) throws(ModelError) -> Int? {
    guard let value = try number(entry, property) else { return nil }
    guard let result = Int32(exactly: value), result >= 0 else { throw error(.value, entry, property) }
    return Int(result)
  }

  /// A whole number that has to be there.
  func neededCount(_ entry: Entry, _ property: StaticString) throws(ModelError) -> Int {
    guard let value = try count(entry, property) else { throw error(.missing, entry, property) }
    return value
  }

  /// An index into a list of so many entries.
  func reference(_ entry: Entry, _ property: StaticString, into count: Int) throws(ModelError) -> Int? {
    guard let index = try self.count(entry, property) else { return nil }
    guard index < count else { throw error(.reference, entry, property) }
    return index
  }

  func flag(_ entry: Entry, _ property: StaticString) throws(ModelError) -> Bool {
    guard let value = json.member(entry.value, property) else { return false }
    switch json.values[value].kind {
    case .yes: return true
    case .no: return false
    default: throw error(.type, entry, property)
    }
  }

  /// So many finite numbers.
  func numbers(_ entry: Entry, _ property: StaticString, count: Int) throws(ModelError) -> [Double]? {
    guard json.member(entry.value, property) != nil else { return nil }
    let values = try list(entry, property)
    guard values.count == count else { throw error(.count, entry, property) }
    var result: [Double] = []
    for value in values {
      guard let number = json.number(value) else { throw error(.type, entry, property) }
      guard number.isFinite, number.magnitude <= Double(Float.greatestFiniteMagnitude) else {
        throw error(.value, entry, property)
      }
      result.append(number)
    }
    return result
  }

  /// Whether a string property is this word.
  func says(_ entry: Entry, _ property: StaticString, _ word: StaticString) -> Bool {
    json.member(entry.value, property).map { json.isEqual($0, word) } ?? false
  }
}

extension Model {
  /// Reads a GLB file (glTF 2.0, binary).
  ///
  /// - Parameters:
  ///   - bytes: the file; pictures in it are named by their place in it and not copied.
  ///   - limits: what is refused as too large.
  /// - Throws: ``ModelError`` with what is wrong and where. A file that is read can be drawn: every index in the model
  ///   names something, every number is finite.
  ///
  /// Source: Khronos glTF 2.0.1 specification.
  public init(
    glb bytes: UnsafeBufferPointer<UInt8>,
    limits: ModelLimits = ModelLimits()
  ) throws(ModelError) {
    var reader = try ModelReader(bytes, limits: limits)
    self = try reader.read()
  }

  /// Reads a GLB file that is in an array; see ``init(glb:limits:)-(UnsafeBufferPointer<UInt8>,_)``.
  public init(glb bytes: [UInt8], limits: ModelLimits = ModelLimits()) throws(ModelError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(ModelError) in try Model(glb: buffer, limits: limits) }
  }
}
