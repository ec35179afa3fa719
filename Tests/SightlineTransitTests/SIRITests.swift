import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineTransit

@Suite struct SIRITests {
  static let clock = ServiceClock(timeZone: TimeZone(identifier: "Europe/Paris") ?? .gmt)

  /// The same answer in both forms.
  static let json = """
    {"Siri": {"ServiceDelivery": {"ResponseTimestamp": "2026-03-02T07:00:10.123Z", "ProducerRef": "P", "Status": "true",
     "StopMonitoringDelivery": [{"ResponseTimestamp": "2026-03-02T07:00:10Z", "Version": "2.0", "Status": "true",
      "MonitoredStopVisit": [
       {"RecordedAtTime": "2026-03-02T07:00:00Z", "ItemIdentifier": "i1", "MonitoringRef": {"value": "Q:1"},
        "MonitoredVehicleJourney": {"LineRef": {"value": "L:4"}, "PublishedLineName": [{"value": "4"}], "VehicleMode": ["BUS"],
         "DestinationName": [{"value": "Port & Gare"}], "DirectionRef": {"value": "Aller"},
         "FramedVehicleJourneyRef": {"DataFrameRef": {"value": "any"}, "DatedVehicleJourneyRef": "J:1"},
         "VehicleFeatureRef": ["lowFloor"],
         "MonitoredCall": {"StopPointRef": {"value": "Q:1"}, "DeparturePlatformName": {"value": "B"}, "VehicleAtStop": false,
          "AimedDepartureTime": "2026-03-02T07:05:00Z", "ExpectedDepartureTime": "2026-03-02T07:07:30Z"}}},
       {"ItemIdentifier": "i2", "MonitoringRef": {"value": "Q:1"}, "MonitoredVehicleJourney": {"LineRef": {"value": "L:10"},
         "PublishedLineName": [{"value": "10"}], "DestinationName": [{"value": "Nord"}],
         "MonitoredCall": {"AimedDepartureTime": "2026-03-02T08:06:00+01:00", "DepartureStatus": "cancelled"}}},
       {"ItemIdentifier": "i3", "MonitoredVehicleJourney": {"LineRef": {"value": "L:4"}, "PublishedLineName": "4",
         "MonitoredCall": {"ExpectedDepartureTime": "2026-03-02T07:20:00Z"}}},
       {"ItemIdentifier": "i4", "MonitoredVehicleJourney": {"LineRef": {"value": "L:4"},
         "MonitoredCall": {"AimedArrivalTime": "2026-03-02T07:21:00Z"}}}]}]}}}
    """

  static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><Siri xmlns="http://www.siri.org.uk/siri" version="2.0">
     <ServiceDelivery><ResponseTimestamp>2026-03-02T07:00:10Z</ResponseTimestamp><Status>true</Status>
     <StopMonitoringDelivery version="2.0"><ResponseTimestamp>2026-03-02T07:00:10Z</ResponseTimestamp>
      <MonitoredStopVisit><ItemIdentifier>i1</ItemIdentifier><MonitoringRef>Q:1</MonitoringRef><MonitoredVehicleJourney>
       <LineRef>L:4</LineRef><PublishedLineName>4</PublishedLineName><VehicleMode>bus</VehicleMode>
       <DestinationName xml:lang="fr">Port &amp; Gare</DestinationName><DirectionRef>Aller</DirectionRef>
       <FramedVehicleJourneyRef><DataFrameRef>any</DataFrameRef><DatedVehicleJourneyRef>J:1</DatedVehicleJourneyRef></FramedVehicleJourneyRef>
       <VehicleFeatureRef>lowFloor</VehicleFeatureRef>
       <MonitoredCall><StopPointRef>Q:1</StopPointRef><DeparturePlatformName>B</DeparturePlatformName>
        <AimedDepartureTime>2026-03-02T07:05:00Z</AimedDepartureTime><ExpectedDepartureTime>2026-03-02T07:07:30Z</ExpectedDepartureTime></MonitoredCall>
      </MonitoredVehicleJourney></MonitoredStopVisit>
      <MonitoredStopVisit><ItemIdentifier>i2</ItemIdentifier><MonitoringRef>Q:1</MonitoringRef><MonitoredVehicleJourney>
       <LineRef>L:10</LineRef><PublishedLineName>10</PublishedLineName><DestinationName>Nord</DestinationName>
       <MonitoredCall><AimedDepartureTime>2026-03-02T08:06:00</AimedDepartureTime></MonitoredCall>
      </MonitoredVehicleJourney></MonitoredStopVisit>
      <MonitoredStopVisit><ItemIdentifier>i3</ItemIdentifier><MonitoredVehicleJourney><LineRef>L:4</LineRef><PublishedLineName>4</PublishedLineName>
       <MonitoredCall><ExpectedDepartureTime>2026-03-02T07:20:00Z</ExpectedDepartureTime></MonitoredCall></MonitoredVehicleJourney></MonitoredStopVisit>
      <MonitoredStopVisit><ItemIdentifier>i4</ItemIdentifier><MonitoredVehicleJourney><LineRef>L:4</LineRef>
       <MonitoredCall><AimedArrivalTime>2026-03-02T07:21:00Z</AimedArrivalTime></MonitoredCall></MonitoredVehicleJourney></MonitoredStopVisit>
      <MonitoredStopVisitCancellation><ItemRef>i2</ItemRef></MonitoredStopVisitCancellation>
     </StopMonitoringDelivery></ServiceDelivery></Siri></s:Body></s:Envelope>
    """

  @Test(arguments: [false, true]) func `both forms say the same`(isXML: Bool) throws {
    let delivery = try SIRIDelivery(Array((isXML ? Self.xml : Self.json).utf8), isXML: isXML, clock: Self.clock)
    #expect(delivery.updated == 1_772_434_810)
    try #require(delivery.visits.count == 3)
    #expect(delivery.ignored == 1, "an arrival alone is no departure")
    let first = delivery.visits[0]
    #expect(first.line == "L:4" && first.lineName == "4" && first.mode == "bus" && first.headsign == "Port & Gare")
    #expect(first.aimed == 1_772_435_100 && first.expected == 1_772_435_250)
    #expect(first.platform == "B" && first.stop == "Q:1" && first.trip == "J:1" && first.direction == 0)
    #expect(first.lowFloor == true && first.wheelchair == nil && !first.isCancelled)
    let second = delivery.visits[1]
    #expect(second.isCancelled && second.aimed == 1_772_435_160 && second.expected == nil)
    #expect(delivery.visits[2].aimed == nil && delivery.visits[2].expected == 1_772_436_000)
  }

  @Test func `situations become notices`() throws {
    let text = """
      <Siri><ServiceDelivery><SituationExchangeDelivery><Situations><PtSituationElement>
      <SituationNumber>N1</SituationNumber><ValidityPeriod><StartTime>2026-03-01T00:00:00Z</StartTime></ValidityPeriod>
      <Severity>severe</Severity><Summary xml:lang="FR">Travaux</Summary><Summary xml:lang="EN">Works</Summary>
      <Description>Longer</Description><Affects><Networks><AffectedNetwork><AffectedLine><LineRef>L:4</LineRef></AffectedLine></AffectedNetwork></Networks>
      <StopPoints><AffectedStopPoint><StopPointRef>Q:1</StopPointRef></AffectedStopPoint></StopPoints></Affects>
      </PtSituationElement></Situations></SituationExchangeDelivery></ServiceDelivery></Siri>
      """
    let alert = try #require(try SIRIDelivery(Array(text.utf8), isXML: true, clock: Self.clock).alerts.first)
    #expect(alert.id == "N1" && alert.severity == "severe" && alert.lines == ["L:4"] && alert.stops == ["Q:1"])
    #expect(alert.header.text(in: "en") == "Works" && alert.header.text(in: "fr") == "Travaux")
    #expect(alert.periods == [1_772_323_200..<Int.max])
  }

  @Test(arguments: [
    ("{}", false), ("", false), ("<html><body>Error</body></html>", true), ("<Siri/>", true), ("[1,2", false),
    ("{\"Siri\":{\"ServiceDelivery\":{\"Status\":\"false\"}}}", false),
    ("<!DOCTYPE a [<!ENTITY b \"c\">]><Siri>&b;</Siri>", true),
    (
      "{\"Siri\":{\"ServiceDelivery\":{\"StopMonitoringDelivery\":[{\"ErrorCondition\":{\"OtherError\":{\"ErrorText\":\"down\"}}}]}}}",
      false
    ),
  ]) func `anything else is an error`(text: String, isXML: Bool) {
    #expect {
      _ = try SIRIDelivery(Array(text.utf8), isXML: isXML, clock: Self.clock)
    } throws: { error in
      if case .malformed = error as? ProviderFailure { true } else { false }
    }
  }

  @Test func `whatever is damaged, there is an answer or an error`() {
    var generator = SplitMix64(seed: 20_261_121)
    for isXML in [false, true] {
      let good = Array((isXML ? Self.xml : Self.json).utf8)
      for _ in 0..<1500 {
        var bytes = good
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
          let place = Int.random(in: 0..<bytes.count, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &generator)))
          case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 60)], at: place)
          default: bytes = Array(bytes.prefix(max(1, place)))
          }
        }
        do throws(ProviderFailure) {
          let delivery = try SIRIDelivery(bytes, isXML: isXML, clock: Self.clock)
          #expect(delivery.visits.allSatisfy { $0.aimed != nil || $0.expected != nil })
        } catch { #expect(error.reason == "provider_error" || error == .unknownStop) }
      }
    }
  }

  @Test func `an unknown stop is told from a fault`() {
    let text =
      #"{"Siri":{"ServiceDelivery":{"StopMonitoringDelivery":[{"ErrorCondition":{"InvalidDataReferencesError":{"ErrorText":"x"}}}]}}}"#
    #expect(throws: ProviderFailure.unknownStop) {
      _ = try SIRIDelivery(Array(text.utf8), isXML: false, clock: Self.clock)
    }
  }

  @Test func `instants as text`() {
    let paris = Self.clock
    #expect(InstantText.seconds("2026-03-02T08:00:10+01:00") == 1_772_434_810)
    #expect(InstantText.seconds("2026-03-02T07:00:10.999Z") == 1_772_434_810)
    #expect(InstantText.seconds("2026-03-02T08:00:10") == nil)
    #expect(InstantText.seconds("2026-03-02T08:00:10", zone: paris) == 1_772_434_810)
    // Summer time begins at 01:00 UTC: an hour later on the wall is the same distance in time.
    #expect(InstantText.seconds("2026-03-29T03:00:00", zone: paris) == 1_774_746_000)
    for text in ["2026-02-30T00:00:00Z", "2026-03-02", "2026-03-02T08:61:00Z", "2026-03-02T08:00:10+99:00", "x"] {
      #expect(InstantText.seconds(text, zone: paris) == nil, "\(text)")
    }
    #expect(InstantText.text(1_772_434_810, offset: 3600) == "2026-03-02T08:00:10+01:00")
    #expect(InstantText.text(1_772_434_810, offset: -12_600) == "2026-03-02T03:30:10-03:30")
    #expect(InstantText.text(-1, offset: 0) == "1969-12-31T23:59:59Z")
  }
}
