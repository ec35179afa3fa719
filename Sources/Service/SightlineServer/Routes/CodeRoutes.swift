import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SightlinePrint
import SightlineStore

/// `GET /api/v1/worlds/{id}/code`: the world's address as a QR code for printing, with its name under it.
struct CodeRoutes: Sendable {
  let catalog: Catalog
  let isSecure: Bool
  let publicURL: String?
  /// Draws the codes.
  let worker: BackgroundWorker

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/api/v1/worlds/{id}/code",
      .init(
        "A world's address as a QR code",
        query: ["format": .words(["svg", "pdf", "png"]), "side": .number(in: 5...2000).described("millimetres")],
        answer: .file("image/svg+xml", "application/pdf", "image/png"),
        refusals: [422]
      ),
      cost: .render
    ) { exchange in
      let draw = try drawing(exchange)
      return try await worker.run { try draw() }
    }
  }

  /// What draws the code that is asked for.
  private func drawing(_ exchange: Exchange) throws -> @Sendable () throws -> Response {
    guard let record = catalog.snapshot.byID[exchange.parameters[0]] else {
      throw RequestProblem.unknownWorld(exchange.parameters[0])
    }
    let fields = exchange.queryFields
    let format = fields["format"] ?? "svg"
    let side = fields["side"].flatMap { Double($0) } ?? 60
    guard (5...2000).contains(side) else {
      throw RequestProblem.badRequest("code.side", "side, in millimetres, has to be 5 to 2000.")
    }
    let origin = exchange.origin(secure: isSecure, configured: publicURL)
    return { try CodeRoutes.code(record, origin + "/#/world/\(record.id)", format: format, side: side) }
  }

  private static func code(_ record: WorldRecord, _ address: String, format: String, side: Double) throws -> Response {
    guard let drawing = QRDrawing(address: address, name: record.title, side: side) else {
      throw RequestProblem(
        .unprocessableContent,
        "code.address",
        "The address of this server does not fit into a code."
      )
    }
    let body: ByteBuffer
    let mediaType: String
    switch format {
    case "svg": (body, mediaType) = (ByteBuffer(string: drawing.svg()), "image/svg+xml")
    case "png": (body, mediaType) = (ByteBuffer(bytes: try drawing.png()), "image/png")
    case "pdf":
      // The fonts that every PDF reader has know no letters but those of Western Europe: then the identifier stands there.
      let plain = QRDrawing(matrix: drawing.matrix, name: record.id, side: side)
      guard let pdf = drawing.pdf() ?? plain.pdf() else {
        throw RequestProblem(.unprocessableContent, "code.name", "The name cannot be printed; take the SVG form.")
      }
      (body, mediaType) = (ByteBuffer(bytes: pdf), "application/pdf")
    default:
      throw RequestProblem.badRequest("code.format", "Codes are made as svg, pdf and png. Choose one of them.")
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: mediaType, .cacheControl: "no-cache",
        .contentDisposition: "inline; filename=\"\(record.id)-code.\(format)\"",
      ],
      body: .init(byteBuffer: body)
    )
  }
}
