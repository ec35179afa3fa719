import SightlineOpenStreetMap
import Testing

@testable import SightlineWalking

@Suite struct FootAccessTests {
  @Test(arguments: [
    (OSMTags(["highway": "residential"]), WalkingWayKind.street), (OSMTags(["highway": "footway"]), .path),
    (OSMTags(["highway": "footway", "footway": "crossing"]), .crossing), (OSMTags(["highway": "steps"]), .steps),
    (OSMTags(["highway": "steps", "conveying": "yes"]), .escalator), (OSMTags(["highway": "elevator"]), .elevator),
    (OSMTags(["railway": "platform"]), .platform), (OSMTags(["public_transport": "platform"]), .platform),
    (OSMTags(["highway": "corridor"]), .corridor), (OSMTags(["indoor": "corridor"]), .corridor),
    (OSMTags(["highway": "trunk", "foot": "yes"]), .street),
    (OSMTags(["highway": "trunk", "sidewalk": "both"]), .street),
    (OSMTags(["highway": "service", "access": "private", "foot": "yes"]), .street),
    (OSMTags(["highway": "service", "access": "destination"]), .street),
    (OSMTags(["highway": "path", "bridge": "yes", "layer": "1"]), .path),
  ])
  func `what can be walked`(tags: OSMTags, kind: WalkingWayKind) {
    #expect(FootAccess(tags)?.flags.kind == kind)
  }

  @Test(arguments: [
    OSMTags(), OSMTags(["building": "yes"]), OSMTags(["highway": "motorway"]), OSMTags(["highway": "trunk"]),
    OSMTags(["highway": "construction"]), OSMTags(["highway": "residential", "foot": "no"]),
    OSMTags(["highway": "service", "access": "private"]), OSMTags(["route": "ferry", "foot": "yes"]),
    OSMTags(["highway": "primary", "motorroad": "yes"]), OSMTags(["highway": "footway", "access": "no"]),
    OSMTags(["highway": "trunk", "foot": "no"]), OSMTags(["highway": "path", "access": "yes", "foot": "private"]),
  ])
  func `what cannot be walked`(tags: OSMTags) { #expect(FootAccess(tags) == nil) }

  @Test func `directions are those of walkers alone`() throws {
    func directions(_ tags: OSMTags) throws -> [Bool] {
      let flags = try #require(FootAccess(tags)).flags
      return [flags.has(EdgeFlags.forward), flags.has(EdgeFlags.backward)]
    }
    #expect(try directions(OSMTags(["highway": "residential", "oneway": "yes"])) == [true, true])
    #expect(try directions(OSMTags(["highway": "path", "oneway:foot": "yes"])) == [true, false])
    #expect(try directions(OSMTags(["highway": "path", "oneway:foot": "-1"])) == [false, true])
    #expect(try directions(OSMTags(["highway": "steps", "oneway": "yes"])) == [true, true])
    #expect(try directions(OSMTags(["highway": "steps", "conveying": "forward"])) == [true, false])
    #expect(try directions(OSMTags(["highway": "steps", "conveying": "backward"])) == [false, true])
    #expect(try directions(OSMTags(["highway": "steps", "conveying": "reversible"])) == [true, true])
    #expect(try directions(OSMTags(["highway": "steps", "conveying": "no"])) == [true, true])
  }

  @Test func `steps have their number and their direction`() throws {
    let up = try #require(FootAccess(OSMTags(["highway": "steps", "step_count": "24", "incline": "up"])))
    #expect(up.stepCount == 24 && up.flags.has(EdgeFlags.stepsUp) && up.flags.has(EdgeFlags.stepsKnown))
    let down = try #require(FootAccess(OSMTags(["highway": "steps", "incline": "-20%"])))
    #expect(down.stepCount == 0 && down.flags.has(EdgeFlags.stepsDown) && !down.flags.has(EdgeFlags.stepsKnown))
    for odd in ["many", "-4", "0", "99999999999999999999", ""] {
      #expect(try #require(FootAccess(OSMTags(["highway": "steps", "step_count": odd]))).stepCount == 0)
    }
  }

  @Test(arguments: [
    (OSMTags(["barrier": "gate"]), false), (OSMTags(["barrier": "gate", "access": "private"]), true),
    (OSMTags(["barrier": "gate", "access": "no", "foot": "yes"]), false), (OSMTags(["barrier": "bollard"]), false),
    (OSMTags(["barrier": "wall"]), true), (OSMTags(["barrier": "fence", "foot": "yes"]), false),
    (OSMTags(["barrier": "stile"]), false), (OSMTags(["barrier": "lift_gate", "foot": "no"]), true),
    (OSMTags(["highway": "crossing"]), false), (OSMTags(["entrance": "emergency"]), true),
  ])
  func `nodes that let nobody through`(tags: OSMTags, isBlocked: Bool) {
    #expect(FootNode.of(tags).contains(.blocked) == isBlocked)
  }
}
