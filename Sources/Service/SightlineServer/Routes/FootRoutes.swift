import Hummingbird
import SightlineGeodesy
import SightlineGround
import SightlineInput
import SightlineWalking

/// `POST /api/v1/routes/foot`: ways to walk, from the operator's ground.
///
/// Places go in the body and not into the address, which is written down in more logs than this server's.
struct FootRoutes: Sendable {
  let ground: GroundLibrary?

  private static let largestBody = 64 * 1024

  func add(to routes: inout RouteTable) {
    routes.add(
      .post,
      "/api/v1/routes/foot",
      .init(
        "The way to walk from a position to another, and one without steps where it is another",
        body: .json(FootQuestion.self),
        answer: .json(FootAnswer.self),
        refusals: [403, 404]
      ),
      cost: .render
    ) { exchange in
      try exchange.requireOwnPage()
      let question = try await exchange.json(FootQuestion.self, limit: Self.largestBody)
      let (start, target) = (try Self.position(question.from, "from"), try Self.position(question.to, "to"))
      let graph = try graph(around: start)
      do {
        let found =
          question.avoidSteps == true
          ? [try graph.route(from: start, to: target, profile: .avoidingSteps)]
          : try graph.alternatives(from: start, to: target)
        return try Answers.json(
          FootAnswer(routes: found.map(FootAnswer.Route.init), reason: nil, attribution: OpenStreetMapCredit.text),
          cache: "no-store"
        )
      } catch let problem as WalkingProblem {
        // That there is no way is an answer.
        let answer = FootAnswer(routes: [], reason: Self.reason(of: problem), attribution: OpenStreetMapCredit.text)
        return try Answers.json(answer, cache: "no-store")
      }
    }
    routes.add(
      .post,
      "/api/v1/routes/foot/distances",
      .init(
        "How far it is to walk from a position to others",
        body: .json(FootDistanceQuestion.self),
        answer: .json(FootDistances.self),
        refusals: [403, 404]
      ),
      cost: .render
    ) { exchange in
      try exchange.requireOwnPage()
      let question = try await exchange.json(FootDistanceQuestion.self, limit: Self.largestBody)
      guard question.to.count <= FootDistanceQuestion.most else {
        throw RequestProblem.badRequest(
          "foot.places",
          "There are \(question.to.count) places; ask for at most \(FootDistanceQuestion.most) at a time."
        )
      }
      let start = try Self.position(question.from, "from")
      let targets = try question.to.enumerated().map { try Self.position($0.element, "to[\($0.offset)]") }
      let graph = try graph(around: start)
      // From a place far from all ways no way leads to any of them.
      let found = try? graph.distances(
        from: start,
        to: targets,
        profile: question.avoidSteps == true ? .avoidingSteps : .quickest
      )
      return try Answers.json(
        FootDistances(
          distances: (found ?? targets.map { _ in nil }).map {
            OrNull(wrappedValue: $0.map(FootDistances.Distance.init))
          },
          attribution: OpenStreetMapCredit.text
        ),
        cache: "no-store"
      )
    }
  }

  private func graph(around position: Geodetic) throws -> WalkingGraph {
    let graph: WalkingGraph?
    do {
      graph = try ground?.walkingGraph(
        latitudeDegrees: position.latitudeDegrees,
        longitudeDegrees: position.longitudeDegrees
      )
    } catch {
      throw RequestProblem.notFound(
        "foot.damaged",
        "The ground of this server is damaged; its operator has to add it again."
      )
    }
    guard let graph else {
      throw RequestProblem.notFound(
        "foot.none",
        "This server knows no ways to walk here. Its operator can add some with sightline ground add EXTRACT.osm.pbf."
      )
    }
    return graph
  }

  private static func position(_ point: GroundQuestion.Point, _ name: String) throws -> Geodetic {
    guard abs(point.latitude) <= 90, abs(point.longitude) <= 180 else {
      throw RequestProblem.badRequest(
        "foot.place",
        "\(name) is no place: latitudes are −90 to 90, longitudes −180 to 180 degrees."
      )
    }
    return Geodetic(latitudeDegrees: point.latitude, longitudeDegrees: point.longitude, altitude: 0)
  }

  private static func reason(of problem: WalkingProblem) -> String {
    switch problem {
    case .farFromWays(let end, let limit):
      "Within \(Int(clamped: limit)) metres of the \(end.rawValue) there is no way to walk on this map."
    case .unconnected: "On this map no way leads from one of the places to the other."
    default: "No way can be found between these places."
    }
  }
}

/// Whom to credit for what comes of the ground.
enum OpenStreetMapCredit {
  static let text = "© OpenStreetMap contributors"
}

/// From where to where.
struct FootQuestion: Codable, Described, Sendable {
  var from: GroundQuestion.Point
  var to: GroundQuestion.Point
  /// Only the way without steps, or with as few as there must be.
  var avoidSteps: Bool?

  static var rules: [String: JSONSchema] { ["from": .component("GroundPoint"), "to": .component("GroundPoint")] }
}

/// From where to which places.
struct FootDistanceQuestion: Codable, Described, Sendable {
  /// Most places of a question.
  static let most = 100

  var from: GroundQuestion.Point
  var to: [GroundQuestion.Point]
  var avoidSteps: Bool?

  static var rules: [String: JSONSchema] {
    ["from": .component("GroundPoint"), "to": .list(.component("GroundPoint"), to: most)]
  }
}

/// Ways to walk, the quickest first.
struct FootAnswer: Codable, Described, Sendable {
  struct Route: Codable, Sendable {
    /// Metres along the ground, and seconds.
    var metres: Double
    var seconds: Double
    var hasSteps: Bool
    var steps: Int
    /// Whether the map says the number of all steps; else it is estimated from their length.
    var isStepCountKnown: Bool
    @OrNull var ascentMetres: Double?
    @OrNull var descentMetres: Double?
    /// Latitude and longitude by turns, degrees.
    var line: [Double]
    var instructions: [Instruction]

    init(_ route: WalkingRoute) {
      metres = Self.rounded(route.metres, 10)
      seconds = route.seconds.rounded()
      hasSteps = route.hasSteps
      steps = route.stepCount
      isStepCountKnown = route.isStepCountKnown
      ascentMetres = route.ascentMetres.map { Self.rounded($0, 10) }
      descentMetres = route.descentMetres.map { Self.rounded($0, 10) }
      line = route.positions.flatMap {
        [Self.rounded($0.latitudeDegrees, 1e7), Self.rounded($0.longitudeDegrees, 1e7)]
      }
      instructions = route.instructions.map(Instruction.init)
    }

    static func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }
  }

  struct Instruction: Codable, Sendable {
    /// depart, walk, stepsUp, stepsDown, steps, escalator, elevator, cross, crossWithSignals, arrive.
    var action: String
    /// straight, slightRight, right, sharpRight, back, sharpLeft, left, slightLeft.
    @OrNull var turn: String?
    @OrNull var name: String?
    var metres: Double
    var steps: Int
    /// Clockwise from north, degrees.
    @OrNull var bearing: Double?
    /// Number of the line's point where it begins.
    var point: Int

    init(_ instruction: WalkingInstruction) {
      action = instruction.action.rawValue
      turn = instruction.turn?.rawValue
      name = instruction.name
      metres = Route.rounded(instruction.metres, 10)
      steps = instruction.stepCount
      bearing = instruction.bearingDegrees.map { Route.rounded($0, 10) }
      point = instruction.position
    }
  }

  /// None where no way leads.
  var routes: [Route]
  /// Why there is none.
  @OrNull var reason: String?
  var attribution: String
}

/// How far it is to each of the places; `null` where no way leads there.
struct FootDistances: Codable, Described, Sendable {
  struct Distance: Codable, Described, Sendable {
    var metres: Double
    var seconds: Double
    var hasSteps: Bool

    static let schemaName = "FootDistance"

    init(_ distance: WalkingDistance) {
      metres = FootAnswer.Route.rounded(distance.metres, 10)
      seconds = distance.seconds.rounded()
      hasSteps = distance.hasSteps
    }
  }

  var distances: [OrNull<Distance>]
  var attribution: String
}
