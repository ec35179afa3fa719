import SightlineFormats

/// What an answer in the form of ``PlainProvider`` says.
public struct PlainDelivery: Sendable {
  /// A departure.
  package struct Departure: Equatable, Sendable {
    package var line = ""
    package var mode: TransitMode = .other
    /// 0xRRGGBB.
    package var color: Int?
    /// 0xRRGGBB.
    package var textColor: Int?
    package var headsign = ""
    /// POSIX seconds.
    package var scheduled = 0
    /// POSIX seconds.
    package var expected: Int?
    package var isCancelled = false
    package var platform = ""
    package var trip = ""
    package var wheelchair: Bool?
    package var lowFloor: Bool?

    package init() {}
  }

  /// When the answer was made, POSIX seconds.
  package var updated = 0
  package var departures: [Departure] = []

  package init() {}

  /// Reads an answer (JSON).
  ///
  /// - Throws: ``ProviderFailure/malformed(_:)`` for anything else: an error page is no empty board, however friendly its status.
  public init(_ bytes: [UInt8]) throws(ProviderFailure) {
    let tree: DataTree
    do throws(DataTree.Failure) { tree = try DataTree.json(bytes) } catch {
      throw .malformed(String(error.message.prefix(200)))
    }
    guard let updated = tree["updated"]?.string.flatMap({ InstantText.seconds($0) }) else {
      throw .malformed("The member \"updated\" is missing or no time.")
    }
    self.updated = updated
    for entry in tree.all("departures").prefix(ProviderText.mostDepartures) {
      departures.append(try Self.departure(entry))
    }
  }

  private static func departure(_ entry: DataTree) throws(ProviderFailure) -> Departure {
    var departure = Departure()
    guard let scheduled = entry["scheduled"]?.string.flatMap({ InstantText.seconds($0) }) else {
      throw .malformed("A departure has no \"scheduled\" that is a time.")
    }
    guard let line = ProviderText.cut(entry["line"]) else { throw .malformed("A departure has no \"line\".") }
    departure.scheduled = scheduled
    departure.line = line
    departure.mode = entry["mode"]?.string.flatMap(TransitMode.init(rawValue:)) ?? .other
    departure.color = entry["color"]?.string.flatMap(LineColors.color)
    departure.textColor = entry["textColor"]?.string.flatMap(LineColors.color)
    departure.headsign = ProviderText.cut(entry["headsign"]) ?? ""
    departure.expected = entry["expected"]?.string.flatMap { InstantText.seconds($0) }
    departure.isCancelled = entry["cancelled"]?.string == "true"
    departure.platform = ProviderText.cut(entry["platform"]) ?? ""
    departure.trip = ProviderText.cut(entry["trip"]) ?? ""
    departure.wheelchair = entry["wheelchair"]?.string.flatMap(Bool.init)
    departure.lowFloor = entry["lowFloor"]?.string.flatMap(Bool.init)
    return departure
  }
}
