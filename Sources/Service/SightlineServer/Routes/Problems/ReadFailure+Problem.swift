import SightlineReadWorkers

extension ReadFailure: ProblemConvertible {
  /// What a client is told.
  var problem: RequestProblem {
    func document(_ reason: String) -> RequestProblem {
      RequestProblem(
        .unprocessableContent,
        "document.unreadable",
        "The document could not be read: \(reason)"
      )
    }
    switch self {
    case .trap: return document("its reader failed on it. It is damaged, or made to do harm; the server goes on.")
    case .memory: return document("that takes more memory than is given to one document. Make several of it.")
    case .time: return document("that takes more time than is given to one document. Make several of it.")
    case .large: return document("what it holds is more than is taken of one document. Make several of it.")
    case .garbage: return document("its reader gave no answer that makes sense. It is damaged, or made to do harm.")
    case .busy(ofClient: true):
      return RequestProblem(
        .tooManyRequests,
        "reading.too-many",
        "Too many documents of yours are being read. Try again when some are done.",
        headers: [.retryAfter: "5"]
      )
    case .busy(ofClient: false):
      return RequestProblem(
        .serviceUnavailable,
        "reading.busy",
        "The server has too many documents to read at the moment. Try again in a few seconds.",
        headers: [.retryAfter: "5"]
      )
    case .unavailable:
      return RequestProblem(
        .serviceUnavailable,
        "reading.unavailable",
        "The server cannot read documents at the moment; its log says why. Try again in a minute.",
        headers: [.retryAfter: "60"]
      )
    case .stopping:
      return RequestProblem(
        .serviceUnavailable,
        "server.stopping",
        "The server is stopping. Try again in a moment.",
        headers: [.retryAfter: "5", .connection: "close"]
      )
    }
  }
}

extension PictureIntake.Refusal: ProblemConvertible {
  /// What a client is told: 415 for other files, 422 with the reason for damaged or too large ones.
  var problem: RequestProblem {
    switch self {
    case .unknownType:
      RequestProblem(
        .unsupportedMediaType,
        "asset.type",
        "This is no picture, model or sound that can be taken. Send PNG, JPEG or WebP, GLB for a model, or MP3, MPEG-4, AAC, Ogg, WAV or FLAC for a sound.",
        headers: [.acceptPost: "image/png, image/jpeg, image/webp, model/gltf-binary, audio/*"]
      )
    case .unreadable(let reason): RequestProblem(.unprocessableContent, "asset.unreadable", reason)
    case .model(let reason):
      RequestProblem(
        .unprocessableContent,
        "asset.model",
        "The model cannot be shown (\(reason)). Export it again as GLB, with its textures inside."
      )
    }
  }
}
