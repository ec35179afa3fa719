import SightlineContent
import SightlineInput
import SightlineStore

/// What of a world's content is kept in memory beside its places' positions: its titles for searching, and its first picture.
///
/// Made once for a version of the world, and never changed.
final class WorldDigest: Sendable {
  /// A world or place by its name.
  struct Name: Sendable {
    /// In the world's own language.
    let title: String
    /// As the web client names it in an address: its identifier, or `#` and its number; `nil` for the world itself.
    let place: String?
    /// Degrees; not a number without a position.
    let latitude: Double
    let longitude: Double
  }

  let generation: Int64
  /// Address of the world's first picture; `nil` without one.
  let cover: String?
  /// The world itself, and then its places.
  let names: [Name]
  /// Titles in other languages, by number and language.
  private let translations: [Int: [String: String]]
  /// The folded titles, one after the other.
  private let text: [UInt8]
  private let ends: [Int]
  /// Where words begin in the text, in the order of what stands there.
  private let starts: [UInt32]
  /// The name that each of those belongs to.
  private let owners: [UInt32]

  /// Longer addresses of pictures are not put into lists, bytes.
  static let longestCover = 2048
  /// Places of a world that can be found by name.
  static let mostPlaces = 200_000
  /// Bytes by which beginnings of words are put in order; equal ones stand together in any order.
  private static let order = 40

  init(record: WorldRecord, dimension: Dimension) {
    generation = record.generation
    cover = WorldDigest.cover(of: dimension)
    var names = [
      Name(
        title: record.title,
        place: nil,
        latitude: record.center?.latitude ?? .nan,
        longitude: record.center?.longitude ?? .nan
      )
    ]
    var translations: [Int: [String: String]] = [:]
    var text: [UInt8] = []
    var ends: [Int] = []
    func add(_ title: String, _ others: [String: Wording]?) {
      let number = ends.count
      text += SearchText.forms(title)
      let titles = (others ?? [:]).compactMapValues(\.title).filter { !$0.value.isEmpty }
      for (_, other) in titles.sorted(by: { $0.key < $1.key }).prefix(40) where other != title {
        text.append(SearchText.separator)
        text += SearchText.forms(other)
      }
      if !titles.isEmpty { translations[number] = titles }
      ends.append(text.count)
    }
    add(record.title, dimension.translations)
    for (index, place) in dimension.places.prefix(WorldDigest.mostPlaces).enumerated() {
      names.append(
        Name(
          title: place.title,
          place: place.id ?? "#\(index)",
          latitude: place.position?.latitude ?? .nan,
          longitude: place.position?.longitude ?? .nan
        )
      )
      add(place.title, place.translations)
    }
    (self.names, self.translations, self.text, self.ends) = (names, translations, text, ends)
    (starts, owners) = WorldDigest.sorted(text, ends)
  }

  /// Of a world whose content cannot be read: found by its title alone.
  init(unreadable record: WorldRecord) {
    generation = record.generation
    cover = nil
    names = [Name(title: record.title, place: nil, latitude: .nan, longitude: .nan)]
    translations = [:]
    text = SearchText.forms(record.title)
    ends = [text.count]
    (starts, owners) = WorldDigest.sorted(text, ends)
  }

  /// A title in a language, or in the world's own.
  func title(_ number: Int, in language: String?) -> String {
    guard let language, let titles = translations[number] else { return names[number].title }
    return titles[language] ?? titles.first { $0.key.hasPrefix(language + "-") }?.value ?? names[number].title
  }

  /// The first picture: of what a place stands on, of its card, or of its look, in the order of the places.
  static func cover(of dimension: Dimension) -> String? {
    let assets = Dictionary(dimension.assets.map { ($0.id, $0.url) }) { first, _ in first }
    for place in dimension.places {
      var look: String?
      if case .image(let asset) = place.visual { look = assets[asset] }
      let pictures = [place.target.flatMap { assets[$0.assetID] }, place.imageURL, look]
      if let first = pictures.compactMap({ $0 }).first(where: { !$0.isEmpty }) {
        return first.utf8.count <= longestCover ? first : nil
      }
    }
    return nil
  }

  // MARK: Looking up

  /// Numbers of the names in which a word begins so, in no particular order and perhaps several times, `limit` at most.
  func names(with word: [UInt8], limit: Int) -> [Int] {
    range(of: word).prefix(limit).map { Int(owners[$0]) }
  }

  /// How many such beginnings there are.
  func count(of word: [UInt8]) -> Int { range(of: word).count }

  /// How a name fits words.
  enum Fit: Int, Comparable {
    /// The title is what was asked for.
    case equal
    /// It begins so.
    case beginning
    /// All words are in it, whole.
    case words
    /// All words begin words of it.
    case parts

    static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
  }

  /// How a name fits; `nil` when a word is missing.
  ///
  /// Words of a place may stand in its world's title, one at least in its own.
  func fit(_ number: Int, _ words: [[UInt8]]) -> Fit? {
    text.withUnsafeBufferPointer { (text: UnsafeBufferPointer<UInt8>) -> Fit? in fit(number, words, in: text) }
  }

  private func fit(_ number: Int, _ words: [[UInt8]], in text: UnsafeBufferPointer<UInt8>) -> Fit? {
    let own = span(number)
    var isWhole = true
    var hasOwn = false
    for word in words {
      var found = WorldDigest.find(word, in: text, own)
      if found != nil { hasOwn = true }
      if found == nil, number != 0 { found = WorldDigest.find(word, in: text, span(0)) }
      guard let found else { return nil }
      isWhole = isWhole && found
    }
    guard hasOwn else { return nil }
    var whole: [UInt8] = []
    for word in words { whole += [0x20] + word }
    var best = isWhole ? Fit.words : .parts
    for title in text[own].split(separator: SearchText.separator) where title.starts(with: whole) {
      if title.count == whole.count { return .equal }
      best = .beginning
    }
    return best
  }

  private func span(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

  /// Whether a word begins somewhere in a part of the text, and is whole there; `nil` when it does not.
  private static func find(_ word: [UInt8], in text: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) -> Bool? {
    var isFound = false
    for start in part where part.upperBound - start >= word.count {
      guard text[start] == word[0], SearchText.isStart(text, start, from: part.lowerBound),
        UnsafeBufferPointer(rebasing: text[start..<(start + word.count)]).elementsEqual(word)
      else { continue }
      let end = start + word.count
      if end == part.upperBound || text[end] == 0x20 || text[end] == SearchText.separator { return true }
      isFound = true
    }
    return isFound ? false : nil
  }

  private func range(of word: [UInt8]) -> Range<Int> {
    let word = word.prefix(WorldDigest.order)
    guard !word.isEmpty else { return 0..<0 }
    return text.withUnsafeBufferPointer { text in
      /// Negative when what stands at a start comes before the word, 0 when it begins with it.
      func compare(_ at: Int) -> Int {
        let start = Int(starts[at])
        for (offset, byte) in word.enumerated() {
          guard start + offset < text.count else { return -1 }
          if text[start + offset] != byte { return text[start + offset] < byte ? -1 : 1 }
        }
        return 0
      }
      func first(where isPast: (Int) -> Bool) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
          let middle = (low + high) / 2
          if isPast(middle) { high = middle } else { low = middle + 1 }
        }
        return low
      }
      let begin = first { compare($0) >= 0 }
      return begin..<max(begin, first { compare($0) > 0 })
    }
  }

  private static func sorted(_ text: [UInt8], _ ends: [Int]) -> (starts: [UInt32], owners: [UInt32]) {
    var found: [(start: UInt32, owner: UInt32)] = []
    text.withUnsafeBufferPointer { text in
      var from = 0
      for (owner, end) in ends.enumerated() {
        for index in from..<end where SearchText.isStart(text, index, from: from) {
          // Places and the length of their titles are bounded: both fit.
          found.append((UInt32(clamped: index), UInt32(clamped: owner)))
        }
        from = end
      }
      found.sort { left, right in
        let (a, b) = (Int(left.start), Int(right.start))
        for offset in 0..<order {
          guard a + offset < text.count else { return b + offset < text.count }
          guard b + offset < text.count else { return false }
          if text[a + offset] != text[b + offset] { return text[a + offset] < text[b + offset] }
        }
        return a < b
      }
    }
    return (found.map(\.start), found.map(\.owner))
  }
}
