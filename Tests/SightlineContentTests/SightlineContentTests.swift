import Foundation
import Testing

@testable import SightlineContent

/// Foundation has a class of the same name.
private typealias Dimension = SightlineContent.Dimension

@Suite struct DimensionJSONTests {
  private func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(_ json: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
  }

  @Test(arguments: [
    (Action.refresh, #"{"kind":"refresh"}"#), (.webPage("http://a/"), #"{"kind":"webPage","url":"http://a/"}"#),
    (.dimension("gamaray://a/d"), #"{"kind":"dimension","url":"gamaray://a/d"}"#),
  ])
  func `actions have this form`(action: Action, json: String) throws {
    #expect(try encode(action) == json)
    #expect(try decode(json) == action)
  }

  @Test(arguments: [
    (Visual.text("A"), #"{"kind":"text","text":"A"}"#), (.image(assetID: "p"), #"{"assetID":"p","kind":"image"}"#),
    (
      .model(assetID: "m", xRotation: 1, yRotation: -2.5, zRotation: 0, scale: 3),
      #"{"assetID":"m","kind":"model","scale":3,"xRotation":1,"yRotation":-2.5,"zRotation":0}"#
    ),
  ])
  func `visuals have this form`(visual: Visual, json: String) throws {
    #expect(try encode(visual) == json)
    #expect(try decode(json) == visual)
  }

  @Test(arguments: [
    (OverlayContent.text("A", width: 0), #"{"kind":"text","text":"A","width":0}"#),
    (.image(assetID: "p"), #"{"assetID":"p","kind":"image"}"#),
    (.html(url: "http://a/", width: 2, height: 1.5), #"{"height":1.5,"kind":"html","url":"http://a/","width":2}"#),
  ])
  func `overlay contents have this form`(content: OverlayContent, json: String) throws {
    #expect(try encode(content) == json)
    #expect(try decode(json) == content)
  }

  @Test func `an empty world has all that is not optional`() throws {
    let json =
      #"{"assets":[],"overlays":[],"places":[],"radarAvailable":true,"refreshDistance":0,"#
      + #""refreshIntervalSeconds":0,"relativeAltitude":false}"#
    #expect(try encode(Dimension()) == json)
    #expect(try decode(json) == Dimension())
  }

  @Test func `a place has all that is not optional`() throws {
    let json =
      #"{"altitudeMode":"ellipsoid","categories":[],"metadata":{},"offset":{"east":0,"north":0,"up":0},"pivot":"BC","#
      + #""position":{"latitude":1.5,"longitude":-2},"showInRadar":true,"showOnFocus":[],"title":"A","#
      + #""visual":{"kind":"text","text":"A"}}"#
    let place = Place(title: "A", position: Position(latitude: 1.5, longitude: -2), visual: .text("A"))
    #expect(try encode(place) == json)
    #expect(try decode(json) == place)
  }

  @Test(arguments: [
    #"{"kind":"webPage"}"#, #"{"kind":"other"}"#, #"{"url":"http://a/"}"#, #"{"kind":"refresh","#, "[]", "null",
    #"{"kind":"dimension","url":7}"#,
  ])
  func `what is no action is refused`(json: String) {
    #expect(throws: DecodingError.self) { try decode(json) as Action }
  }

  @Test(arguments: [
    #"{"kind":"image"}"#, #"{"kind":"text"}"#, #"{"kind":"model","assetID":"a"}"#, #"{"kind":"html","url":"a"}"#,
  ])
  func `a visual or overlay without its value is refused`(json: String) {
    #expect(throws: DecodingError.self) { try decode(json) as Visual }
    #expect(throws: DecodingError.self) { try decode(json) as OverlayContent }
  }
}

@Suite struct ReadingTests {
  private func reading(_ severities: [Problem.Severity], _ dimension: Dimension? = Dimension()) -> Reading {
    Reading(
      dimension: dimension,
      problems: severities.map { Problem($0, "x", line: 1, path: "", message: "") }
    )
  }

  @Test func `a reading is valid with a world and without errors`() {
    #expect(reading([]).isValid && reading([.warning, .info]).isValid)
    #expect(!reading([.info, .error]).isValid)
    #expect(!reading([], nil).isValid)
  }

  @Test func `the nine pivots are written as two letters`() {
    #expect(Pivot.allCases.map(\.rawValue) == ["TL", "TC", "TR", "CL", "CC", "CR", "BL", "BC", "BR"])
  }
}
