import Glibc

/// Makes valid documents by what was seen in samples: a node of a kind gets children as nodes of this kind had them, each
/// from any of the samples, some left out, some more than once.
///
/// All of a format's vocabulary is met that way without being written down again; what no sample shows goes into one in
/// `Fuzz/Structured/Samples`.
struct Sampler {
  /// The samples' trees.
  let samples: [Node]
  /// Everything that was met, for a ``Breaker``.
  let names: [String]
  let attributes: [String]
  let values: [String]
  /// Nodes by their parent's name and their own.
  private let pool: [String: [Node]]
  private let isJSON: Bool

  /// The documents of folders, those whose names end so; what cannot be read, such as UTF-16, is left out.
  init(_ folders: [String], _ endings: [String], isJSON: Bool) {
    var samples: [Node] = []
    for path in Files.list(folders) where endings.contains(where: { path.hasSuffix($0) }) {
      guard var bytes = Files.load(path) else { continue }
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
      if let node = isJSON ? SampleParser.json(bytes) : SampleParser.xml(bytes) { samples.append(node) }
    }
    precondition(!samples.isEmpty, "no samples in \(folders); run it in the root of the repository")
    self.init(samples, isJSON: isJSON)
  }

  /// Trees that are there already.
  init(_ samples: [Node], isJSON: Bool) {
    self.samples = samples
    self.isJSON = isJSON
    var names: Set<String> = []
    var attributes: Set<String> = []
    var values: Set<String> = []
    var pool: [String: [Node]] = [:]
    func visit(_ node: Node, below parent: String) {
      if !node.name.isEmpty { names.insert(node.name) }
      for attribute in node.attributes {
        attributes.insert(attribute.name)
        if attribute.value.utf8.count < 60 { values.insert(attribute.value) }
      }
      if node.kind == .text, node.value.utf8.count < 60 { values.insert(node.value) }
      if node.count < 200 { pool["\(parent)/\(node.name)", default: []].append(node) }
      for child in node.children { visit(child, below: node.name.isEmpty ? parent + "[]" : node.name) }
    }
    for sample in samples { visit(sample, below: "") }
    self.names = names.sorted()
    self.attributes = attributes.sorted()
    self.values = values.sorted()
    self.pool = pool
  }

  /// A breaker with the vocabulary of the samples.
  var breaker: Breaker {
    var breaker = Breaker(names: names, attributes: attributes, values: values)
    breaker.isJSON = isJSON
    return breaker
  }

  /// A document of at most about so many nodes.
  func document(_ random: inout Random, most: Int = 60) -> Node {
    var left = most
    var root = samples[random.below(samples.count)]
    vary(&root, below: "", &random, &left)
    return root
  }

  private func vary(_ node: inout Node, below parent: String, _ random: inout Random, _ left: inout Int) {
    left -= 1
    guard !node.children.isEmpty else { return }
    let name = node.name.isEmpty ? parent + "[]" : node.name
    var children: [Node] = []
    children.reserveCapacity(node.children.count + 2)
    for child in node.children {
      // A large document is made small; text and what stands alone stays, mostly.
      if left <= 0 || random.once(in: node.children.count > 6 ? 3 : 12) { continue }
      var times = random.once(in: 12) ? 2 : 1
      while times > 0, left > 0 {
        times -= 1
        var one = child
        if random.once(in: 3), let others = pool["\(name)/\(child.name)"] { one = random.pick(others) }
        one.name = child.name
        vary(&one, below: name, &random, &left)
        children.append(one)
      }
    }
    node.children = children
  }
}

/// Files, without Foundation.
enum Files {
  /// The files of folders and of what lies in them, by name.
  static func list(_ folders: [String]) -> [String] {
    var found: [String] = []
    for folder in folders {
      guard let handle = opendir(folder) else { continue }
      defer { closedir(handle) }
      while let entry = readdir(handle) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard !name.hasPrefix(".") else { continue }
        let path = "\(folder)/\(name)"
        if entry.pointee.d_type == UInt8(DT_DIR) { found += list([path]) } else { found.append(path) }
      }
    }
    return found.sorted()
  }

  /// The bytes of a file.
  static func load(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
  }
}
