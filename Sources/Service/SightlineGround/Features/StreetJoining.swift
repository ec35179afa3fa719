import SightlineOpenStreetMap

/// Streets out of the pieces that they are mapped in.
///
/// Where two of the same kind, name and layer meet end to end and nothing else of that kind and name begins there, they
/// are one line. Fewer corners to write, and longer lines for names.
enum StreetJoining {
  private struct Key: Hashable {
    var kind: GroundKind
    var name: GroundName
    var layer: Int
  }

  static func join(_ features: [GroundFeature]) -> [GroundFeature] {
    var result: [GroundFeature] = []
    var lines: [Key: [PositionLine]] = [:]
    var order: [Key] = []
    for feature in features {
      guard case .line(let line) = feature.shape else {
        result.append(feature)
        continue
      }
      let key = Key(kind: feature.kind, name: feature.name, layer: feature.layer)
      if lines[key] == nil { order.append(key) }
      lines[key, default: []].append(line)
    }
    for key in order {
      for line in joined(lines[key] ?? []) {
        result.append(
          GroundFeature(kind: key.kind, shape: .line(line), name: key.name, layer: key.layer)
        )
      }
    }
    return result
  }

  private static func joined(_ lines: [PositionLine]) -> [PositionLine] {
    var ends: [OSMPosition: [Int]] = [:]
    for (index, line) in lines.enumerated() {
      ends[line[0], default: []].append(index)
      ends[line[line.count - 1], default: []].append(index)
    }
    var isUsed = [Bool](repeating: false, count: lines.count)
    var result: [PositionLine] = []
    for start in lines.indices where !isUsed[start] {
      isUsed[start] = true
      var line = lines[start]
      // On from the end, then from the beginning.
      for _ in 0..<2 {
        while line[0] != line[line.count - 1], let meeting = ends[line[line.count - 1]], meeting.count == 2,
          let next = meeting.first(where: { !isUsed[$0] })
        {
          isUsed[next] = true
          let other = lines[next]
          line += other[0] == line[line.count - 1] ? other.dropFirst() : other.reversed().dropFirst()
        }
        line.reverse()
      }
      result.append(line)
    }
    return result
  }
}
