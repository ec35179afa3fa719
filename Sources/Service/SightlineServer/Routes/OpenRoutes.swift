import Hummingbird
import NIOCore
import SightlineContent
import SightlineFormats

/// `POST /api/v1/open`: fetches a world from elsewhere, in any format, and answers as for one that is stored here.
struct OpenRoutes: Sendable {
  let fetcher: GuardedFetcher
  let documents: ForeignDocuments

  func add(to routes: inout RouteTable) {
    routes.add(
      .post,
      "/api/v1/open",
      .init(
        "A foreign world",
        body: .form("OpenRequest"),
        answer: .json(ForeignWorldAnswer.self),
        refusals: [403, 422, 502, 504]
      ),
      cost: .heavy
    ) { exchange in
      try exchange.requireOwnPage()
      let fields = try await exchange.formFields()
      guard let url = fields["url"] else {
        throw RequestProblem.badRequest("open.missing", "The field url is missing: the address of the world.")
      }
      let answer = try await fetcher.fetch(
        url,
        .post(fields: OpenRoutes.forwarded(fields), elsewhere: OpenRoutes.forwarded(fields, withPosition: false)),
        accept: "application/gamaray-gddf, application/xml;q=0.9, application/json;q=0.9, */*;q=0.5",
        client: exchange.client
      )
      let world = try await documents.world(answer.body, from: answer.url, client: exchange.client)
      guard let json = try WorldJSON.foreign(world, url: answer.url) else {
        let problems = (try? world.problems) ?? []
        throw RequestProblem(
          .unprocessableContent,
          "open.unreadable",
          "What stands at this address could not be read as a world: "
            + (problems.first?.message ?? "its format is not known."),
          findings: problems
        )
      }
      return Answers.json(json)
    }
  }

  /// The fields of a dimension request in their usual form; nothing else that was sent is passed on.
  ///
  /// A foreign host learns the place to a metre (five decimals of a degree). Without a position nothing is left by which
  /// it could know where somebody is, where they look, or who they are.
  static func forwarded(_ fields: FormFields, withPosition: Bool = true) -> String {
    let pairs = fields.fields.map { ($0.name, $0.value) }
    var request = GDDFRequest.decode(Dictionary(pairs) { first, _ in first }).request
    request.latitude = withPosition ? request.latitude.map(rounded) : nil
    request.longitude = withPosition ? request.longitude.map(rounded) : nil
    if !withPosition {
      (request.altitude, request.bearing, request.pitch, request.roll, request.userID) = (nil, nil, nil, nil, nil)
    }
    return request.encoded()
  }

  private static func rounded(_ degrees: Double) -> Double { (degrees * 100_000).rounded() / 100_000 }
}
