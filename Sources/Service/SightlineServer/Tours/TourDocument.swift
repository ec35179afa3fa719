import Foundation
import NIOCore
import SightlineContent
import SightlineFormats
import SightlineInput
import SightlineStore
import SightlineTours

/// A tour as a world of the GDDF browsers of 2010, as one team sees it at one moment.
///
/// Labels stand at the stations that are open to the team and in sight; what can be answered here lies over the picture
/// as overlays whose `onPress` loads the document again with the answer in the address. Written in the portable profile,
/// so that both original clients read it alike.
struct TourDocument {
  let run: StoredRun
  let team: TourTeam
  let tallies: [String: StationTally]
  let messages: [TourLogEntry]
  /// Where the client is; nothing but the name is shown when it does not say.
  let fix: TourFix?
  let hasLeft: Bool
  /// What became of the answer in the address.
  let outcome: TourRecord?
  let words: TourWords
  /// `https://ar.example.org`.
  let origin: String
  /// The phone's secret in the addresses.
  let secret: String
  let time: Date

  /// How often the client asks again by itself.
  static let refreshSeconds = 15.0
  /// How far it walks before it asks again, metres.
  static let refreshDistance = 15.0
  /// Metres between marks of the way, and most of them: what a walker sees of the ground before him.
  private static let markDistance = 20.0
  private static let mostMarks = 15
  /// Width of the smaller rectangle that both ways to hold the first phones have in common, less margins, points.
  private static let width = 300.0

  private var address: String { "\(origin)/tours/play/\(secret).gddf" }
  private var phase: TourSchedule.Phase { run.schedule.phase(at: time, minutes: run.tour.minutes) }

  /// The document.
  func gddf() -> ByteBuffer { ByteBuffer(bytes: GDDFWriter.write(dimension()).bytes) }

  /// The world it is made of.
  func dimension() -> SightlineContent.Dimension {
    var world = SightlineContent.Dimension()
    world.name = "\(run.tour.title) – \(team.name)"
    world.radarRange = 500
    world.relativeAltitude = true
    world.refreshURL = address
    world.refreshIntervalSeconds = TourDocument.refreshSeconds
    world.refreshDistance = TourDocument.refreshDistance
    // A request without a position comes from a link or a client that has none yet.
    guard fix != nil else { return world }
    var page = OverlayColumn(width: TourDocument.width)
    let progress = TourProgress(tour: run.tour, seed: team.seed, tallies: tallies)
    page.add(status(progress), id: "status")
    if hasLeft { page.add(words.leftArea, id: "border") }
    if let note = notice() { page.add(note, id: "notice") }
    if let message = messages.last(where: { $0.team == nil || $0.team == team.number }), isRecent(message) {
      page.add(message.text, id: "message")
    }
    if phase == .running { stations(progress, &world, &page) }
    world.overlays = page.overlays
    return world
  }

  private func isRecent(_ message: TourLogEntry) -> Bool {
    message.kind == .message && time.timeIntervalSince(message.time) < 300
  }

  private func status(_ progress: TourProgress) -> String {
    var parts = [team.name]
    if run.tour.showsScore { parts.append("\(progress.score) \(words.points)") }
    parts.append("\(progress.doneCount)/\(run.tour.stations.count)")
    if phase != .ended, let end = run.schedule.deadline(at: time, minutes: run.tour.minutes) {
      parts.append("\(max(0, Int(clamped: (end.timeIntervalSince(time) / 60).rounded(.up)))) \(words.minutes)")
    }
    return parts.joined(separator: " · ")
  }

  private func notice() -> String? {
    switch phase {
    case .prepared: return words.waiting
    case .paused: return words.paused
    case .ended: return words.over
    case .running: break
    }
    guard let outcome else { return nil }
    switch outcome.verdict {
    case .refused: return outcome.refusal == .tooFar ? words.tooFar : words.notNow
    case .right, .wrong:
      guard run.tour.showsVerdict else { return words.received }
      let points = run.tour.showsScore && outcome.points > 0 ? " +\(outcome.points)" : ""
      return outcome.verdict == .right ? words.right + points : words.wrong
    case .pending: return words.received
    case .visited, .hinted: return nil
    }
  }

  private func stations(
    _ progress: TourProgress,
    _ world: inout SightlineContent.Dimension,
    _ page: inout OverlayColumn
  ) {
    guard let fix else { return }
    var nearest: (station: Station, distance: Double)?
    var inSight: [Station] = []
    for station in progress.open(inRound: run.schedule.round) {
      let distance = fix.distance(to: station.position)
      let isHere = TourRules.place(of: fix, at: station) != .outside
      guard isHere || distance <= station.visibleRadius ?? .infinity else { continue }
      let isDone = progress.at(station).isDone
      feature(station, isHere: isHere, isDone: isDone, &world)
      inSight.append(station)
      let isOpen = !isDone || !station.isQuestion
      if isHere, isOpen, distance < nearest?.distance ?? .infinity { nearest = (station, distance) }
    }
    way(by: inSight, progress, fix, &world, &page)
    guard let station = nearest?.station else { return }
    page.add(station.text.isEmpty ? station.title : station.text, id: "text.\(station.id)")
    let state = progress.at(station)
    for (number, hint) in station.hints.enumerated() where !state.isDone {
      if state.hints.contains(number) {
        page.add("\(words.hint): \(hint.text)", id: "hint.\(station.id).\(number)")
      } else {
        let action = act("hint", station, number)
        page.add("\(words.hint) (-\(hint.cost))", id: "hint.\(station.id).\(number)", action: action)
        break
      }
    }
    switch station.kind {
    case .choice:
      for (number, option) in station.options.enumerated() {
        page.add(option, id: "answer.\(station.id).\(number)", action: act("answer", station, number))
      }
    case .open:
      page.add(
        words.answerInBrowser,
        id: "open.\(station.id)",
        action: .webPage("\(origin)/t/\(team.code)")
      )
    case .info, .picture: break
    }
  }

  /// Marks on the ground from the team to the station that comes next, and how far that is along the way.
  private func way(
    by stations: [Station],
    _ progress: TourProgress,
    _ fix: TourFix,
    _ world: inout SightlineContent.Dimension,
    _ page: inout OverlayColumn
  ) {
    guard let way = TourWay(run.tour.corners(by: stations)),
      let next = way.next(of: stations.filter { !progress.at($0).isDone }, from: fix.position),
      TourRules.place(of: fix, at: next) == .outside,
      let stretch = TourWay(way.stretch(from: fix.position, to: next.position).positions)
    else { return }
    // To the way, along it, and from it to the station.
    let metres = way.nearest(to: fix.position).distance + stretch.length
    page.add("→ \(next.title) · \(Int(clamped: (metres / 10).rounded() * 10)) m", id: "next")
    for number in 1...TourDocument.mostMarks {
      let along = Double(number) * TourDocument.markDistance
      guard along <= stretch.length else { break }
      var place = Place(title: "•", position: stretch.position(at: along), visual: .text("•"))
      place.id = "way.\(number)"
      // On the ground, as far below the eye as a phone is held above it.
      place.position?.altitude = -1.5
      place.altitudeMode = .eye
      place.showInRadar = false
      world.places.append(place)
    }
  }

  /// The answer, with the number of tries so far: pressed twice, or sent again by a client that heard nothing, it is the
  /// same answer.
  private func act(_ name: String, _ station: Station, _ number: Int) -> Action {
    let tries = tallies[station.id]?.wrong ?? 0
    return .dimension("\(address)?\(name)=\(station.id).\(number).\(tries)")
  }

  private func feature(_ station: Station, isHere: Bool, isDone: Bool, _ world: inout SightlineContent.Dimension) {
    var place: Place
    if station.kind == .picture, isHere, let picture = station.picture {
      let asset = Asset(id: "picture.\(station.id)", url: "\(origin)/assets/\(picture)", format: "JPG")
      world.assets.append(asset)
      place = Place(title: station.title, position: station.position, visual: .image(assetID: asset.id))
    } else {
      let label = isDone ? "✓ \(station.title)" : station.title
      place = Place(title: label, position: station.position, visual: .text(label))
    }
    place.id = "station.\(station.id)"
    place.position?.altitude = 0
    place.altitudeMode = .eye
    world.places.append(place)
  }
}

/// Overlays one below the other, wrapped by an estimate: the document cannot know how a client breaks lines.
private struct OverlayColumn {
  let width: Double
  private(set) var overlays: [Overlay] = []
  // Below the first client's status bar and its row of signs.
  private var y = 60.0

  init(width: Double) { self.width = width }

  mutating func add(_ text: String, id: String, action: Action? = nil) {
    var overlay = Overlay(x: 10, y: y, content: .text(text, width: width))
    overlay.id = id
    overlay.pivot = .topLeft
    overlay.action = action
    overlays.append(overlay)
    // Bold 14 points: about 8 points a letter, twice that for one of East Asia, 18 a line.
    let length = text.unicodeScalars.reduce(0.0) { $0 + ($1.value >= 0x2E80 ? 15 : 8) }
    let lines = max(1, (length / (width - 10)).rounded(.up)) + Double(text.count { $0.isNewline })
    // Where a finger presses there is room for it.
    y += max(lines * 18 + 4, action == nil ? 0 : 38) + 6
  }
}

extension TourDocument {
  /// What an address asks for: an event of the client's team, made of station, number and tries so far.
  ///
  /// Its identifier follows from team, station and tries alone, so that each try counts once, whichever answer of an old
  /// document is pressed a second time.
  static func event(_ fields: FormFields, team: TourTeam, fix: TourFix?, at time: Date) -> TourEvent? {
    for name in ["answer", "hint"] {
      guard let text = fields[name] else { continue }
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, let number = Int(parts[1]), let tries = Int(parts[2]), (0...1000).contains(tries),
        (0...100).contains(number)
      else { return nil }
      let isHint = name == "hint"
      let id = "old.\(team.number).\(parts[0]).\(isHint ? "hint\(number)" : "try\(tries)")"
      guard TourEvent.isIdentifier(id) else { return nil }
      return TourEvent(
        id: id,
        sequence: 0,
        station: String(parts[0]),
        kind: isHint ? .hint(number) : .choice([number]),
        made: time,
        fix: fix
      )
    }
    return nil
  }

  /// Visits of places without a question that the team has reached: old clients only have to go there.
  static func visits(
    _ run: StoredRun,
    team: TourTeam,
    tallies: [String: StationTally],
    fix: TourFix,
    at time: Date
  ) -> [TourEvent] {
    guard run.schedule.phase(at: time, minutes: run.tour.minutes) == .running else { return [] }
    let progress = TourProgress(tour: run.tour, seed: team.seed, tallies: tallies)
    return progress.open(inRound: run.schedule.round).compactMap { station in
      guard !station.isQuestion, !progress.at(station).isDone, TourRules.place(of: fix, at: station) != .outside
      else { return nil }
      return TourEvent(
        id: "old.\(team.number).\(station.id).visit",
        sequence: 0,
        station: station.id,
        kind: .visit,
        made: time,
        fix: fix
      )
    }
  }
}
