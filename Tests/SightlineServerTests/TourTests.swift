import Foundation
import HTTPTypes
import HummingbirdTesting
import SightlineContent
import SightlineStore
import SightlineTours
import Testing

@testable import SightlineServer

/// Tours over HTTP, without a socket.
struct TourTests {
  static let tour = """
    {"title":"Old town","border":[{"latitude":51.99,"longitude":3.99},{"latitude":51.99,"longitude":4.01},
    {"latitude":52.01,"longitude":4.01},{"latitude":52.01,"longitude":3.99}],
    "stations":[{"id":"bridge","kind":"choice","title":"Bridge","text":"How many?","position":{"latitude":52,"longitude":4},
    "options":["Two","Three"],"correct":[1],"tries":2,"hints":[{"text":"secret hint","cost":3}]},
    {"id":"mill","kind":"open","title":"Mill","position":{"latitude":52.001,"longitude":4},"accepted":["the accepted word"]}]}
    """

  /// A teacher with a run of two teams that goes on.
  private func started(
    _ fixture: ServerFixture,
    _ name: String = "teacher"
  ) async throws -> (
    teacher: SignedIn, tour: String, run: String, codes: [String]
  ) {
    let teacher = try await fixture.signedIn(name)
    let made = try await teacher.request("/api/v1/tours", .post, TourTests.tour)
    #expect(made.status == .created, "\(String(buffer: made.body))")
    let tour = try #require(try JSONAnswer(made)["id"] as? String)
    let run = try await teacher.request(
      "/api/v1/tours/\(tour)/runs",
      .post,
      ##"{"teams":[{"name":"Otter","color":"#d33f49"},{"name":"Heron","color":"#2b6cb0"}]}"##
    )
    #expect(run.status == .created, "\(String(buffer: run.body))")
    let answer = try JSONAnswer(run)
    let id = try #require((answer["run"] as? [String: Any])?["id"] as? String)
    let start = try await teacher.request(
      "/api/v1/tour-runs/\(id)/command",
      .post,
      #"{"command":"start"}"#
    )
    #expect(start.status == .ok)
    return (teacher, tour, id, answer.objects("teams").compactMap { $0["code"] as? String })
  }

  @Test func `a drawn way comes to phones with the stations, and to boards at once`() async throws {
    let fixture = try await ServerFixture()
    let teacher = try await fixture.signedIn("leader")
    let text = TourTests.tour.replacingOccurrences(
      of: #"{"title":"Old town","#,
      with:
        #"{"title":"Old town","way":"drawn","route":[{"latitude":52,"longitude":4},{"latitude":52.002,"longitude":4}],"#
    )
    let tour = try #require(try JSONAnswer(try await teacher.request("/api/v1/tours", .post, text))["id"] as? String)
    let made = try JSONAnswer(
      try await teacher.request("/api/v1/tours/\(tour)/runs", .post, ##"{"teams":[{"name":"A","color":"#d33f49"}]}"##)
    )
    let run = try #require((made["run"] as? [String: Any])?["id"] as? String)
    let phone = try await join(fixture, try #require(made.objects("teams").first?["code"] as? String))
    #expect(phone.text.contains(#""way":"drawn""#) && phone.text.contains(#""route":[]"#), "\(phone.text)")
    let board = try JSONAnswer(try await teacher.request("/api/v1/tour-runs/\(run)"))
    #expect(board.objects("route").count == 2)
    _ = try await teacher.request("/api/v1/tour-runs/\(run)/command", .post, #"{"command":"start"}"#)
    let answer = try JSONAnswer(try await fixture.request("/api/v1/tour-team", headers: phone.headers))
    let content = try #require(answer["content"] as? [String: Any])
    #expect((content["route"] as? [[String: Any]])?.count == 2)
    // To the row of what was stored.
    let stored = try JSONAnswer(try await teacher.request("/api/v1/tours/\(tour)"))
    let kept = try #require(stored["tour"] as? [String: Any])
    #expect(kept["way"] as? String == "drawn" && (kept["route"] as? [Any])?.count == 2)
  }

  private func join(
    _ fixture: ServerFixture,
    _ code: String
  ) async throws -> (
    headers: HTTPFields, text: String
  ) {
    let response = try await fixture.request(
      "/api/v1/tour-team/join",
      .post,
      headers: [.contentType: "application/json"],
      body: #"{"code":"\#(code)"}"#
    )
    #expect(response.status == .ok, "\(String(buffer: response.body))")
    let secret = try #require(try JSONAnswer(response)["secret"] as? String)
    return (
      [.contentType: "application/json", .authorization: "Bearer \(secret)"],
      String(buffer: response.body)
    )
  }

  private func events(
    _ fixture: ServerFixture,
    _ headers: HTTPFields,
    _ events: String
  )
    async throws -> TestResponse
  {
    try await fixture.request(
      "/api/v1/tour-team/events",
      .post,
      headers: headers,
      body: #"{"events":[\#(events)]}"#
    )
  }

  private func choice(_ id: String, _ sequence: Int, _ option: Int, latitude: Double = 52) -> String {
    #"{"id":"\#(id)","sequence":\#(sequence),"station":"bridge","kind":"choice","choices":[\#(option)],"position":{"latitude":\#(latitude),"longitude":4,"accuracy":5}}"#
  }

  @Test func `a phone never gets right answers, other teams or the codes`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let (_, _, _, codes) = try await started(fixture)
    let (headers, text) = try await join(fixture, codes[0])
    #expect(
      !text.contains("accepted") && !text.contains("correct") && !text.contains("Heron")
        && !text.contains(codes[1])
    )
    #expect(text.contains("Otter") && text.contains("How many?"))
    let again = try await fixture.request("/api/v1/tour-team", headers: headers)
    #expect(again.status == .ok && !String(buffer: again.body).contains("secret\""))
  }

  @Test func `an answer that is sent twice counts once and has the same outcome`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let (teacher, _, run, codes) = try await started(fixture)
    let (headers, _) = try await join(fixture, codes[0])
    let both = choice("answer-1", 1, 0) + "," + choice("answer-2", 2, 1)
    let first = try JSONAnswer(try await events(fixture, headers, both))
    let second = try JSONAnswer(try await events(fixture, headers, both))
    for (answer, isNew) in [(first, true), (second, false)] {
      #expect(answer.objects("events").map { $0["verdict"] as? String } == ["wrong", "right"])
      #expect(answer.objects("events").map { $0["points"] as? Int } == [0, 10])
      #expect(answer.objects("events").allSatisfy { $0["new"] as? Bool == isNew })
    }
    let board = try JSONAnswer(try await teacher.request("/api/v1/tour-runs/\(run)"))
    #expect(board.objects("teams").map { $0["score"] as? Int } == [10, 0])
    #expect(board.objects("answers").count == 2)
  }

  @Test func `an event behind a later one is not taken, nor those after it`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let (_, _, _, codes) = try await started(fixture)
    let (headers, _) = try await join(fixture, codes[0])
    _ = try await events(fixture, headers, choice("answer-5", 5, 0))
    let answer = try JSONAnswer(
      try await events(
        fixture,
        headers,
        choice("answer-5", 5, 0) + "," + choice("answer-4", 4, 1) + "," + choice("answer-6", 6, 1)
      )
    )
    #expect(answer["inOrder"] as? Bool == false)
    #expect(answer.objects("events").map { $0["id"] as? String } == ["answer-5"])
  }

  @Test func `an identifier of another team's event is refused`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let (_, _, _, codes) = try await started(fixture)
    let (otter, _) = try await join(fixture, codes[0])
    let (heron, _) = try await join(fixture, codes[1])
    _ = try await events(fixture, otter, choice("answer-1", 1, 0))
    try expectProblem(
      try await events(fixture, heron, choice("answer-1", 1, 1)),
      409,
      "tour.event-foreign"
    )
  }

  @Test(arguments: [
    (#"{"id":"short","sequence":1,"station":"bridge","kind":"visit"}"#, "tour.events"),
    (#"{"id":"old.1.bridge.try0","sequence":1,"station":"bridge","kind":"visit"}"#, "tour.events"),
    (#"{"id":"answer-1","sequence":0,"station":"bridge","kind":"visit"}"#, "tour.events"),
    (#"{"id":"answer-1","sequence":1,"station":"bridge","kind":"choice"}"#, "tour.events"),
    (#"{"id":"answer-1","sequence":1,"station":"bridge","kind":"dance"}"#, "tour.events"),
    (#"{"id":"answer-1","sequence":"x","station":"bridge","kind":"visit"}"#, "body.member"),
    ("{", "body.json"),
  ])
  func `malformed events are refused with what is wrong`(event: String, code: String) async throws {
    let fixture = try await ServerFixture.withAccounts()
    let (_, _, _, codes) = try await started(fixture)
    let (headers, _) = try await join(fixture, codes[0])
    try expectProblem(try await events(fixture, headers, event), 400, code)
  }

  @Test func `whoever has no secret, a wrong one or an ended one is out`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let (teacher, _, run, codes) = try await started(fixture)
    let (headers, _) = try await join(fixture, codes[0])
    try expectProblem(try await fixture.request("/api/v1/tour-team"), 401, "tour.no-secret")
    try expectProblem(
      try await fixture.request("/api/v1/tour-team", headers: [.authorization: "Bearer 12345"]),
      401,
      "tour.device-unknown"
    )
    let changed = try await teacher.request(
      "/api/v1/tour-runs/\(run)/teams/1",
      .put,
      ##"{"name":"Otter","color":"#d33f49","newCode":true}"##
    )
    #expect(changed.status == .ok)
    try expectProblem(
      try await fixture.request("/api/v1/tour-team", headers: headers),
      401,
      "tour.device-unknown"
    )
    let code = try #require(try JSONAnswer(changed).objects("teams").first?["code"] as? String)
    #expect(code != codes[0])
    _ = try await join(fixture, code)
  }

  @Test func `codes are read as people write them, and guessing ends`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let (_, _, _, codes) = try await started(fixture)
    let grouped = TourCode.grouped(codes[0]).lowercased().replacing("0", with: "o").replacing(
      "1",
      with: "l"
    )
    _ = try await join(fixture, grouped)
    // One table for all guesses: the counts are its own.
    let routes = fixture.server.routes
    func guess(_ code: String) async throws -> TestResponse {
      try await fixture.request(
        "/api/v1/tour-team/join",
        .post,
        routes: routes,
        headers: [.contentType: "application/json"],
        body: #"{"code":"\#(code)"}"#
      )
    }
    // On a machine that is very slow, guesses become free again meanwhile.
    var refused = false
    for number in 0..<(20 * GuessLimiter.limit) where !refused {
      let answer = try await guess("AAAAAAAAAAAAA")
      refused = answer.status.code == 429
      if refused {
        #expect(number >= GuessLimiter.limit)
        try expectProblem(answer, 429, "tour.too-many-codes")
      } else {
        try expectProblem(answer, 404, "tour.code-unknown")
      }
    }
    #expect(refused)
  }

  @Test func `only its author and operators see and change a tour and its runs`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let (teacher, tour, run, _) = try await started(fixture)
    let other = try await fixture.signedIn("other")
    let chief = try await fixture.signedIn("chief", .operator)
    for path in [
      "/api/v1/tours/\(tour)", "/api/v1/tour-runs/\(run)",
      "/api/v1/tour-runs/\(run)/tables/all.json",
    ] {
      try expectProblem(try await fixture.request(path), 401, "account.required")
      // As if there were none: ids of others' tours tell nothing.
      let code = path.contains("/tours/") ? "tour.unknown" : "tour.run-unknown"
      try expectProblem(try await other.request(path), 404, code)
      #expect(try await teacher.request(path).status == .ok)
      #expect(try await chief.request(path).status == .ok)
    }
    try expectProblem(
      try await other.request("/api/v1/tour-runs/\(run)", .delete),
      404,
      "tour.run-unknown"
    )
    #expect(try JSONAnswer(try await other.request("/api/v1/tours")).objects("tours").isEmpty)
    #expect(
      try JSONAnswer(try await chief.request("/api/v1/tours?all=1")).objects("tours").count == 1
    )
  }

  @Test func `two people who change a tour get a conflict and nothing is lost`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let (teacher, tour, _, _) = try await started(fixture)
    let path = "/api/v1/tours/\(tour)"
    let mine = TourTests.tour.replacing("Old town", with: "Mine")
    try expectProblem(try await teacher.request(path, .put, mine), 428, "tour.version-missing")
    #expect(try await teacher.request(path, .put, mine, headers: [.ifMatch: "\"1\""]).status == .ok)
    let theirs = TourTests.tour.replacing("Old town", with: "Theirs")
    try expectProblem(
      try await teacher.request(path, .put, theirs, headers: [.ifMatch: "\"1\""]),
      412,
      "tour.conflict"
    )
    let now = try JSONAnswer(try await teacher.request(path))
    #expect(
      (now["tour"] as? [String: Any])?["title"] as? String == "Mine" && now["version"] as? Int == 2
    )
    let broken = mine.replacing(#""correct":[1]"#, with: #""correct":[7]"#)
    try expectProblem(
      try await teacher.request(path, .put, broken, headers: [.ifMatch: "\"2\""]),
      422,
      "tour.content"
    )
  }

  @Test func `deleting a run takes all of it away at once, deleting a tour all its runs`()
    async throws
  {
    let fixture = try await ServerFixture.withAccounts()
    let (teacher, tour, run, codes) = try await started(fixture)
    let (headers, _) = try await join(fixture, codes[0])
    _ = try await events(fixture, headers, choice("answer-1", 1, 1))
    #expect(try await teacher.request("/api/v1/tour-runs/\(run)", .delete).status == .noContent)
    try expectProblem(
      try await teacher.request("/api/v1/tour-runs/\(run)"),
      404,
      "tour.run-unknown"
    )
    try expectProblem(
      try await events(fixture, headers, choice("answer-2", 2, 1)),
      401,
      "tour.device-unknown"
    )
    #expect(try await fixture.stores.tourRuns.events(of: run).isEmpty)
    #expect(try await fixture.stores.tourRuns.log(of: run, after: 0).isEmpty)
    #expect(try await teacher.request("/api/v1/tours/\(tour)", .delete).status == .noContent)
    try expectProblem(try await teacher.request("/api/v1/tours/\(tour)"), 404, "tour.unknown")
  }

  @Test func `the sheet is a PDF with each team's name and code`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let (teacher, _, run, codes) = try await started(fixture)
    let response = try await teacher.request("/api/v1/tour-runs/\(run)/sheet.pdf?language=de")
    #expect(response.headers[.contentType] == "application/pdf")
    let bytes = Array(response.body.readableBytesView)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("%PDF-1.4") && text.hasSuffix("%%EOF\n"))
    for code in codes { #expect(text.contains("(Code: \(TourCode.grouped(code)))")) }
    // Every offset of the cross-reference table leads to its object.
    let latin = String(bytes.map { Character(Unicode.Scalar($0)) })
    let table = try #require(latin.range(of: "xref\n", options: .backwards))
    for (number, line) in latin[table.upperBound...].split(separator: "\n").dropFirst(2)
      .enumerated()
    {
      guard line.hasSuffix(" n ") else { break }
      let offset = try #require(Int(line.prefix(10)))
      #expect(
        String(decoding: bytes[offset...].prefix(12), as: UTF8.self).hasPrefix(
          "\(number + 1) 0 obj"
        )
      )
    }
  }
}
