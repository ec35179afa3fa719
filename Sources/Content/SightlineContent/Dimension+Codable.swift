// JSON forms of the enums with payloads: one member `kind` names the case, the others are its values.

extension Action: Codable {
  private enum Key: String, CodingKey { case kind, url }
  private enum Kind: String, Codable { case refresh, webPage, dimension }

  /// Reads `{"kind": "webPage", "url": …}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .refresh: self = .refresh
    case .webPage: self = .webPage(try container.decode(String.self, forKey: .url))
    case .dimension: self = .dimension(try container.decode(String.self, forKey: .url))
    }
  }

  /// Writes `{"kind": "webPage", "url": …}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .refresh: try container.encode(Kind.refresh, forKey: .kind)
    case .webPage(let url):
      try container.encode(Kind.webPage, forKey: .kind)
      try container.encode(url, forKey: .url)
    case .dimension(let url):
      try container.encode(Kind.dimension, forKey: .kind)
      try container.encode(url, forKey: .url)
    }
  }
}

extension Visual: Codable {
  private enum Key: String, CodingKey { case kind, text, assetID, xRotation, yRotation, zRotation, scale }
  private enum Kind: String, Codable { case text, image, model }

  /// Reads `{"kind": "text", "text": …}`, `{"kind": "image", "assetID": …}`, `{"kind": "model", …}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .text: self = .text(try container.decode(String.self, forKey: .text))
    case .image: self = .image(assetID: try container.decode(String.self, forKey: .assetID))
    case .model:
      self = .model(
        assetID: try container.decode(String.self, forKey: .assetID),
        xRotation: try container.decode(Double.self, forKey: .xRotation),
        yRotation: try container.decode(Double.self, forKey: .yRotation),
        zRotation: try container.decode(Double.self, forKey: .zRotation),
        scale: try container.decode(Double.self, forKey: .scale)
      )
    }
  }

  /// Writes the form that `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .text(let text):
      try container.encode(Kind.text, forKey: .kind)
      try container.encode(text, forKey: .text)
    case .image(let assetID):
      try container.encode(Kind.image, forKey: .kind)
      try container.encode(assetID, forKey: .assetID)
    case .model(let assetID, let xRotation, let yRotation, let zRotation, let scale):
      try container.encode(Kind.model, forKey: .kind)
      try container.encode(assetID, forKey: .assetID)
      try container.encode(xRotation, forKey: .xRotation)
      try container.encode(yRotation, forKey: .yRotation)
      try container.encode(zRotation, forKey: .zRotation)
      try container.encode(scale, forKey: .scale)
    }
  }
}

extension OverlayContent: Codable {
  private enum Key: String, CodingKey { case kind, text, width, height, assetID, url }
  private enum Kind: String, Codable { case text, image, html }

  /// Reads `{"kind": "text", "text": …, "width": …}`, `{"kind": "image", …}`, `{"kind": "html", …}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .text:
      self = .text(
        try container.decode(String.self, forKey: .text),
        width: try container.decode(Double.self, forKey: .width)
      )
    case .image: self = .image(assetID: try container.decode(String.self, forKey: .assetID))
    case .html:
      self = .html(
        url: try container.decode(String.self, forKey: .url),
        width: try container.decode(Double.self, forKey: .width),
        height: try container.decode(Double.self, forKey: .height)
      )
    }
  }

  /// Writes the form that `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .text(let text, let width):
      try container.encode(Kind.text, forKey: .kind)
      try container.encode(text, forKey: .text)
      try container.encode(width, forKey: .width)
    case .image(let assetID):
      try container.encode(Kind.image, forKey: .kind)
      try container.encode(assetID, forKey: .assetID)
    case .html(let url, let width, let height):
      try container.encode(Kind.html, forKey: .kind)
      try container.encode(url, forKey: .url)
      try container.encode(width, forKey: .width)
      try container.encode(height, forKey: .height)
    }
  }
}
