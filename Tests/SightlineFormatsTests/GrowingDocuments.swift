import Testing

/// A document that can be made larger in one respect.
struct GrowingDocument: CustomTestStringConvertible, Sendable {
  /// What is doubled.
  let name: String
  /// The document with so many of it.
  let make: @Sendable (Int) -> String
  /// How many the smallest has.
  var smallest = 64
  var testDescription: String { name }

  init(_ name: String, smallest: Int = 64, _ make: @escaping @Sendable (Int) -> String) {
    self.name = name
    self.smallest = smallest
    self.make = make
  }
}

private func list(_ count: Int, separator: String = "", _ item: (Int) -> String) -> String {
  (0..<count).map(item).joined(separator: separator)
}

private func gddf(_ inside: String) -> String { "<dimension version=\"1.0\">\(inside)</dimension>" }
private func feature(_ inside: String, _ id: String = "") -> String {
  "<featureTxt\(id.isEmpty ? "" : " id=\"\(id)\"")><text>t</text>\(inside)</featureTxt>"
}
private let location = "<location><lat>1</lat><lon>2</lon><alt>3</alt></location>"
private func area(_ inside: String) -> String {
  "<location><latitude>1</latitude><longitude>2</longitude><altitude>3</altitude><information/>\(inside)</location>"
}
private func kml(_ inside: String, _ more: String = "") -> String {
  "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:ar=\"http://www.openarml.org/arml/1.0\">\(more)<Document>\(inside)"
    + "</Document></kml>"
}
private func mark(_ inside: String) -> String {
  "<Placemark><name>a</name><Point><coordinates>1,2</coordinates></Point>\(inside)</Placemark>"
}
private let ring = "<LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing>"
private func arml(_ inside: String) -> String {
  "<arml xmlns=\"http://www.opengis.net/arml/2.0\"><ARElements>\(inside)</ARElements></arml>"
}
private func geometry(_ inside: String, assets: String = "") -> String {
  "<Geometry><assets>\(assets)</assets>\(inside)</Geometry>"
}
private let point = "<Point><pos>48 10</pos></Point>"
private func anchored(_ anchors: String, _ more: String = "") -> String {
  "<Feature><name>n</name><description>d</description>\(more)<anchors>\(anchors)</anchors></Feature>"
}
private func geojson(_ features: String) -> String { "{\"type\":\"FeatureCollection\",\"features\":[\(features)]}" }
private func geofeature(_ geometry: String, _ properties: String = "\"title\":\"a\"", _ more: String = "") -> String {
  "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":{\(properties)}\(more)}"
}
private let geopoint = "{\"type\":\"Point\",\"coordinates\":[1,2]}"
private func square(_ x: Double, _ y: Double, _ size: Double) -> String {
  "[[\(x),\(y)],[\(x + size),\(y)],[\(x + size),\(y + size)],[\(x),\(y)]]"
}
private func osm(_ elements: String) -> String { "{\"elements\":[\(elements)]}" }
private func corners(_ points: [(Double, Double)]) -> String {
  "[" + points.map { "{\"lat\":\($0.0),\"lon\":\($0.1)}" }.joined(separator: ",") + "]"
}
private func member(_ role: String, _ points: [(Double, Double)]) -> String {
  "{\"type\":\"way\",\"role\":\"\(role)\",\"geometry\":\(corners(points))}"
}
private func relation(_ members: String) -> String {
  osm(
    "{\"type\":\"relation\",\"id\":1,\"center\":{\"lat\":1,\"lon\":1},\"tags\":{\"name\":\"r\",\"type\":\"multipolygon\"},"
      + "\"members\":[\(members)]}"
  )
}
private func box(_ y: Double, _ x: Double, _ size: Double) -> [(Double, Double)] {
  [(y, x), (y, x + size), (y + size, x + size), (y + size, x), (y, x)]
}

/// One for each list-like construct of each format.
let growingDocuments: [GrowingDocument] = [
  // XML itself.
  .init("xml: attributes", smallest: 32) { count in gddf("<x \(list(count, separator: " ") { "a\($0)=\"\"" })/>") },
  .init("xml: elements with many attributes") { count in
    gddf(list(count) { _ in "<x \(list(32, separator: " ") { "a\($0)=\"\"" })/>" })
  },
  .init("xml: namespaces in force", smallest: 32) { count in
    "<dimension version=\"1.0\" \(list(count, separator: " ") { "xmlns:n\($0)=\"u\"" })>\(list(count) { "<n\($0):x/>" })</dimension>"
  },
  .init("xml: elements under many namespaces") { count in
    "<dimension version=\"1.0\" \(list(128, separator: " ") { "xmlns:n\($0)=\"u\"" })>\(list(count) { _ in "<x/>" })</dimension>"
  },
  .init("xml: levels", smallest: 15) { count in gddf(list(count) { _ in "<x>" } + list(count) { _ in "</x>" }) },
  .init("xml: entities") { count in gddf("<name>\(list(count) { _ in "&amp;" })</name>") },
  .init("xml: CDATA") { count in gddf("<name>\(list(count) { _ in "<![CDATA[x]]>" })</name>") },
  .init("xml: comments") { count in gddf("<name>\(list(count) { _ in "x<!-- -->" })</name>") },
  .init("xml: instructions") { count in gddf("<name>\(list(count) { _ in "x<?p?>" })</name>") },
  .init("xml: lines") { count in gddf("<name>\(list(count) { _ in "x\r\n" })</name>") },

  // JSON itself.
  .init("json: duplicate members") { count in "{\"elements\":[],\(list(count, separator: ",") { _ in "\"a\":0" })}" },
  .init("json: members") { count in "{\"elements\":[],\(list(count, separator: ",") { "\"a\($0)\":0" })}" },
  .init("json: levels", smallest: 15) { count in
    "{\"elements\":[],\"x\":\(list(count) { _ in "[" })\(list(count) { _ in "]" })}"
  },
  .init("json: escapes") { count in "{\"elements\":[],\"name\":\"\(list(count) { _ in "\\u00e9" })\"}" },
  .init("json: values") { count in "{\"elements\":[],\"x\":[\(list(count, separator: ",") { "\($0)" })]}" },

  // GDDF.
  .init("gddf: features") { count in gddf("<features>\(list(count) { _ in feature(location) })</features>") },
  .init("gddf: features of all kinds") { count in
    gddf(
      "<features>\(list(count) { feature(location, "f\($0)") + "<featureImg><assetId>a</assetId>\(location)</featureImg>" })</features>"
    )
  },
  .init("gddf: equal identifiers") { count in
    gddf("<features>\(list(count) { _ in feature(location, "f") })</features>")
  },
  .init("gddf: lists of features") { count in
    gddf(list(count) { _ in "<features>\(feature(location))</features>" })
  },
  .init("gddf: locations") { count in
    gddf("<locations>\(list(count) { "<location id=\"l\($0)\"><lat>1</lat><lon>2</lon></location>" })</locations>")
  },
  .init("gddf: features at one location") { count in
    gddf(
      "<locations><location id=\"l\"><lat>1</lat><lon>2</lon></location></locations>"
        + "<features>\(list(count) { _ in feature("<locationId>l</locationId>") })</features>"
    )
  },
  .init("gddf: assets") { count in
    gddf(
      "<assets>\(list(count) { "<asset id=\"a\($0)\"><format>PNG</format><url>http://a.example/\($0)</url></asset>" })</assets>"
    )
  },
  .init("gddf: overlays") { count in
    gddf(
      "<overlays>\(list(count) { _ in "<overlayTxt><x>0</x><y>0</y><width>0</width><text>t</text></overlayTxt>" })</overlays>"
    )
  },
  .init("gddf: overlays shown on focus") { count in
    gddf(
      "<features>\(feature(location + "<showOnFocus>\(list(count, separator: ",") { "o\($0)" })</showOnFocus>"))</features>"
    )
  },
  .init("gddf: values of a name") { count in
    gddf("<features>\(feature(location + list(count) { _ in "<xLoc>1</xLoc>" }))</features>")
  },
  .init("gddf: locations in a feature") { count in
    gddf("<features>\(feature(list(count) { _ in location }))</features>")
  },
  .init("gddf: markers in a feature") { count in
    gddf("<features>\(feature(location + list(count) { _ in "<marker/>" }))</features>")
  },
  .init("gddf: unknown elements") { count in gddf(list(count) { "<x\($0)/>" }) },
  .init("gddf: refresh addresses") { count in gddf(list(count) { "<refreshUrl>http://a.example/\($0)</refreshUrl>" }) },
  .init("gddf: refresh rules") { count in
    gddf(list(count) { _ in "<refreshTime><validFor>1000</validFor></refreshTime>" })
  },

  // AREA.
  .init("area: places") { count in "<locations>\(list(count) { area("<name>\($0)</name>") })</locations>" },
  .init("area: places of one name") { count in "<locations>\(list(count) { _ in area("<name>a</name>") })</locations>"
  },
  .init("area: categories") { count in
    "<locations>\(area("<name>a</name>" + list(count) { "<category>\($0)</category>" }))</locations>"
  },
  .init("area: further fields") { count in
    "<locations>\(area("<name>a</name>" + list(count) { "<x\($0)>v</x\($0)>" }))</locations>"
  },
  .init("area: further fields of one name") { count in
    "<locations>\(area("<name>a</name>" + list(count) { _ in "<x>v</x>" }))</locations>"
  },
  .init("area: names of a place") { count in "<locations>\(area(list(count) { _ in "<name>a</name>" }))</locations>" },
  .init("area: unknown elements") { count in "<locations>\(list(count) { "<x\($0)/>" })</locations>" },

  // KML.
  .init("kml: placemarks") { count in kml(list(count) { _ in mark("") }) },
  .init("kml: placemarks with one identifier") { count in
    kml(list(count) { _ in "<Placemark id=\"p\"><name>a</name></Placemark>" })
  },
  .init("kml: folders") { count in kml(list(count) { "<Folder><name>f\($0)</name>\(mark(""))</Folder>" }) },
  .init("kml: folders inside each other", smallest: 12) { count in
    kml(list(count) { "<Folder><name>f\($0)</name>" } + list(count) { _ in "</Folder>" })
  },
  .init("kml: data") { count in
    kml(
      mark("<ExtendedData>\(list(count) { "<Data name=\"d\($0)\"><value>v</value></Data>" })</ExtendedData>")
    )
  },
  .init("kml: data of a schema") { count in
    kml(
      mark(
        "<ExtendedData><SchemaData>\(list(count) { "<SimpleData name=\"d\($0)\">v</SimpleData>" })</SchemaData></ExtendedData>"
      )
    )
  },
  .init("kml: categories") { count in
    kml(
      mark("<ExtendedData>\(list(count) { "<Data name=\"category\"><value>\($0)</value></Data>" })</ExtendedData>")
    )
  },
  .init("kml: styles and placemarks with them") { count in
    kml(
      list(count) { "<Style id=\"s\($0)\"><LineStyle><width>2</width></LineStyle></Style>" }
        + list(count) {
          "<Placemark><styleUrl>#s\($0)</styleUrl><LineString><coordinates>0,0 1,1</coordinates></LineString></Placemark>"
        }
    )
  },
  .init("kml: maps of styles") { count in
    kml(
      list(count) {
        "<StyleMap id=\"m\($0)\"><Pair><key>normal</key><styleUrl>#m\($0 + 1)</styleUrl></Pair></StyleMap>"
      }
    )
  },
  .init("kml: pairs of a map of styles") { count in
    kml("<StyleMap id=\"m\">\(list(count) { _ in "<Pair><key>highlight</key></Pair>" })</StyleMap>")
  },
  .init("kml: providers and their placemarks") { count in
    kml(
      list(count) { "<ar:provider id=\"p\($0)\"><name>n</name><tags>a,b</tags></ar:provider>" }
        + list(count) { mark("<ar:provider>p\($0)</ar:provider>") }
    )
  },
  .init("kml: tags of a provider") { count in
    kml(
      "<ar:provider id=\"p\"><name>n</name><tags>\(list(count, separator: ",") { "\($0)" })</tags></ar:provider>"
        + mark("<ar:provider>p</ar:provider>")
    )
  },
  .init("kml: placemarks of a provider with tags") { count in
    kml(
      "<ar:provider id=\"p\"><name>n</name><tags>\(list(40, separator: ",") { "\($0)" })</tags></ar:provider>"
        + list(count) { _ in mark("<ar:provider>p</ar:provider>") }
    )
  },
  .init("kml: coordinates") { count in
    kml("<Placemark><LineString><coordinates>\(list(count) { _ in "1,2 " })</coordinates></LineString></Placemark>")
  },
  .init("kml: geometries of one") { count in
    kml(
      "<Placemark><MultiGeometry>\(list(count) { _ in "<LineString><coordinates>0,0 1,1</coordinates></LineString>" })"
        + "</MultiGeometry></Placemark>"
    )
  },
  .init("kml: geometries inside each other", smallest: 12) { count in
    kml(
      "<Placemark>\(list(count) { _ in "<MultiGeometry>" })<Point><coordinates>1,2</coordinates></Point>"
        + "\(list(count) { _ in "</MultiGeometry>" })</Placemark>"
    )
  },
  .init("kml: holes") { count in
    kml(
      "<Placemark><Polygon><outerBoundaryIs>\(ring)</outerBoundaryIs>"
        + list(count) { _ in "<innerBoundaryIs>\(ring)</innerBoundaryIs>" } + "</Polygon></Placemark>"
    )
  },
  .init("kml: rings of a hole") { count in
    kml(
      "<Placemark><Polygon><outerBoundaryIs>\(ring)</outerBoundaryIs><innerBoundaryIs>"
        + list(count) { _ in ring } + "</innerBoundaryIs></Polygon></Placemark>"
    )
  },
  .init("kml: balloons") { count in
    kml(
      mark(
        "<Label><text>l</text></Label>"
          + list(count) { _ in
            "<Balloon><text>t</text><Location><longitude>1</longitude><latitude>2</latitude></Location></Balloon>"
          }
      )
    )
  },
  .init("kml: links") { count in
    kml(list(count) { "<NetworkLink><Link><href>http://a.example/\($0)</href></Link></NetworkLink>" })
  },
  .init("kml: pictures on the screen") { count in
    kml(list(count) { "<ScreenOverlay id=\"o\($0)\"><Icon><href>a.png</href></Icon></ScreenOverlay>" })
  },
  .init("kml: pictures on the screen with one identifier") { count in
    kml(list(count) { _ in "<ScreenOverlay id=\"o\"><Icon><href>a.png</href></Icon></ScreenOverlay>" })
  },
  .init("kml: unknown elements") { count in kml(mark(list(count) { "<x\($0)/>" })) },

  // ARML.
  .init("arml: features") { count in arml(list(count) { _ in anchored(geometry(point)) }) },
  .init("arml: identifiers") { count in arml(list(count) { "<Label id=\"l\($0)\"><src>t</src></Label>" }) },
  .init("arml: equal identifiers") { count in arml(list(count) { _ in "<Label id=\"l\"><src>t</src></Label>" }) },
  .init("arml: anchors of a feature") { count in arml(anchored(list(count) { _ in geometry(point) })) },
  .init("arml: links of a feature to an anchor") { count in
    arml("<Geometry id=\"g\"><assets/>\(point)</Geometry>" + anchored(list(count) { _ in "<anchorRef href=\"#g\"/>" }))
  },
  .init("arml: features with one anchor") { count in
    arml(
      "<Geometry id=\"g\"><assets/><LineString><posList>1 2 3 4 5 6</posList></LineString></Geometry>"
        + list(count) { _ in anchored("<anchorRef href=\"#g\"/>") }
    )
  },
  .init("arml: assets") { count in
    arml(
      anchored(geometry(point, assets: list(count) { _ in "<Label><src>$[name]</src></Label>" }))
    )
  },
  .init("arml: pictures") { count in
    arml(
      anchored(geometry(point, assets: list(count) { "<Image><href href=\"http://a.example/\($0)\"/></Image>" }))
    )
  },
  .init("arml: texts for the selected place") { count in
    let condition = "<conditions><SelectedCondition><selected>true</selected></SelectedCondition></conditions>"
    return arml(
      anchored(geometry(point, assets: list(count) { _ in "<Text>\(condition)<src>$[description]x</src></Text>" }))
    )
  },
  .init("arml: conditions") { count in
    arml(
      anchored(
        geometry(
          point,
          assets:
            "<Text><src>x</src><conditions>\(list(count) { "<DistanceCondition><max>\($0 + 1)</max></DistanceCondition>" })"
            + "</conditions></Text>"
        )
      )
    )
  },
  .init("arml: links to an asset") { count in
    arml(
      "<Label id=\"l\"><src>x</src></Label>"
        + anchored(geometry(point, assets: list(count) { _ in "<assetRef href=\"#l\"/>" }))
    )
  },
  .init("arml: placeholders") { count in
    arml(anchored(geometry(point, assets: "<Label><src>\(list(count) { _ in "$[name]$[description]" })</src></Label>")))
  },
  .init("arml: tags in a text") { count in
    arml(anchored(geometry(point, assets: "<Label><src>\(list(count) { _ in "&lt;b&gt;x&lt;/b&gt;" })</src></Label>")))
  },
  .init("arml: metadata") { count in
    arml(anchored(geometry(point), "<metadata>\(list(count) { "<m\($0)>v</m\($0)>" })</metadata>"))
  },
  .init("arml: metadata and anchors", smallest: 32) { count in
    // Each place repeats all: the square of one number is twenty times that of the other, whose share is bounded.
    arml(anchored(list(16) { _ in geometry(point) }, "<metadata>\(list(count) { "<m\($0)>v</m\($0)>" })</metadata>"))
  },
  .init("arml: positions") { count in
    arml(anchored(geometry("<LineString><posList>\(list(count) { _ in "1 2 " })</posList></LineString>")))
  },
  .init("arml: single positions") { count in
    arml(anchored(geometry("<LineString>\(list(count) { _ in "<pos>1 2</pos>" })</LineString>")))
  },
  .init("arml: holes") { count in
    let ring = "<LinearRing><posList>0 0 1 0 1 1 0 0</posList></LinearRing>"
    return arml(
      anchored(
        geometry(
          "<Polygon><exterior>\(ring)</exterior>\(list(count) { _ in "<interior>\(ring)</interior>" })</Polygon>"
        )
      )
    )
  },
  .init("arml: anchors relative to one") { count in
    arml(
      "<Geometry id=\"g\"><assets/>\(point)</Geometry>"
        + list(count) { _ in
          anchored("<RelativeTo><assets/><ref href=\"#g\"/><Point><pos>1 2 3</pos></Point></RelativeTo>")
        }
    )
  },
  .init("arml: configurations of a trackable") { count in
    arml(
      "<Tracker id=\"t\"/>"
        + anchored(
          "<Trackable><assets/>\(list(count) { _ in "<config><tracker href=\"#t\"/></config>" })<size>1</size></Trackable>"
        )
    )
  },
  .init("arml: screen anchors") { count in
    arml(list(count) { _ in "<ScreenAnchor><assets><Label><src>x</src></Label></assets></ScreenAnchor>" })
  },
  .init("arml: properties of a style") { count in
    arml(
      "<ScreenAnchor><style>\(list(count, separator: ";") { "a\($0):1" })</style><assets><Label><src>x</src></Label></assets>"
        + "</ScreenAnchor>"
    )
  },

  // GeoJSON.
  .init("geojson: features") { count in geojson(list(count, separator: ",") { _ in geofeature(geopoint) }) },
  .init("geojson: features with one identifier") { count in
    geojson(list(count, separator: ",") { _ in geofeature(geopoint, "\"title\":\"a\"", ",\"id\":1") })
  },
  .init("geojson: properties") { count in
    geojson(geofeature(geopoint, list(count, separator: ",") { "\"p\($0)\":\"v\"" }))
  },
  .init("geojson: categories") { count in
    geojson(geofeature(geopoint, "\"category\":[\(list(count, separator: ",") { "\"\($0)\"" })]"))
  },
  .init("geojson: values of a property") { count in
    geojson(geofeature(geopoint, "\"p\":[\(list(count, separator: ",") { "\($0)" })]"))
  },
  .init("geojson: unknown members") { count in
    geojson(geofeature(geopoint, "\"title\":\"a\"", list(count) { ",\"m\($0)\":0" }))
  },
  .init("geojson: points") { count in
    geojson(
      geofeature("{\"type\":\"MultiPoint\",\"coordinates\":[\(list(count, separator: ",") { _ in "[1,2]" })]}")
    )
  },
  .init("geojson: positions of a line") { count in
    geojson(
      geofeature("{\"type\":\"LineString\",\"coordinates\":[\(list(count, separator: ",") { _ in "[1,2]" })]}")
    )
  },
  .init("geojson: lines") { count in
    geojson(
      geofeature(
        "{\"type\":\"MultiLineString\",\"coordinates\":[\(list(count, separator: ",") { _ in "[[1,2],[3,4]]" })]}"
      )
    )
  },
  .init("geojson: holes") { count in
    geojson(
      geofeature("{\"type\":\"Polygon\",\"coordinates\":[\(list(count, separator: ",") { _ in square(1, 1, 1) })]}")
    )
  },
  .init("geojson: areas") { count in
    geojson(
      geofeature(
        "{\"type\":\"MultiPolygon\",\"coordinates\":[\(list(count, separator: ",") { _ in "[\(square(1, 1, 1))]" })]}"
      )
    )
  },
  .init("geojson: geometries of one") { count in
    geojson(
      geofeature("{\"type\":\"GeometryCollection\",\"geometries\":[\(list(count, separator: ",") { _ in geopoint })]}")
    )
  },
  .init("geojson: geometries inside each other", smallest: 6) { count in
    geojson(
      geofeature(
        list(count) { _ in "{\"type\":\"GeometryCollection\",\"geometries\":[" } + geopoint
          + list(count) { _ in "]}" }
      )
    )
  },

  // Overpass.
  .init("overpass: elements") { count in
    osm(
      list(count, separator: ",") { "{\"type\":\"node\",\"id\":\($0),\"lat\":1,\"lon\":1,\"tags\":{\"name\":\"a\"}}" }
    )
  },
  .init("overpass: elements without a name") { count in
    osm(list(count, separator: ",") { "{\"type\":\"node\",\"id\":\($0),\"lat\":1,\"lon\":1}" })
  },
  .init("overpass: tags") { count in
    osm(
      "{\"type\":\"node\",\"id\":1,\"lat\":1,\"lon\":1,\"tags\":{\"name\":\"a\",\(list(count, separator: ",") { "\"k\($0)\":\"v\"" })}}"
    )
  },
  .init("overpass: languages") { count in
    osm(
      "{\"type\":\"node\",\"id\":1,\"lat\":1,\"lon\":1,\"tags\":{\"name\":\"a\",\(list(count, separator: ",") { "\"name:de-x\($0)\":\"v\"" })}}"
    )
  },
  .init("overpass: corners of a way") { count in
    osm(
      "{\"type\":\"way\",\"id\":1,\"tags\":{\"name\":\"w\",\"highway\":\"path\"},"
        + "\"geometry\":\(corners((0..<count).map { (Double($0) / 1000, 1) }))}"
    )
  },
  .init("overpass: ways of a ring") { count in
    relation(
      list(count, separator: ",") { index in
        let angles = [Double(index), Double(index + 1 == count ? 0 : index + 1)].map { $0 / Double(count) }
        return member("outer", angles.map { ($0 < 0.5 ? $0 : 1 - $0, $0) })
      }
    )
  },
  .init("overpass: ways between two ends") { count in
    relation(list(count, separator: ",") { _ in member("outer", [(0, 0), (1, 1)]) })
  },
  .init("overpass: rings") { count in
    relation(list(count, separator: ",") { member("outer", box(0, Double($0) / 100, 0.005)) })
  },
  .init("overpass: rings with a hole each") { count in
    relation(
      list(count, separator: ",") {
        member("outer", box(0, Double($0) / 100, 0.008)) + ","
          + member("inner", box(0.002, Double($0) / 100 + 0.002, 0.001))
      }
    )
  },
  .init("overpass: holes of a ring") { count in
    relation(
      member("outer", box(0, 0, 80)) + ","
        + list(count, separator: ",") { member("inner", box(1, Double($0) / 100, 0.001)) }
    )
  },
  .init("overpass: holes of a ring of many corners") { count in
    let round = (0..<count).map { index in
      let part = Double(index) / Double(count)
      return part < 0.5 ? (part * 2, part * 40) : (2 - part * 2, 40 - part * 40 + 20)
    }
    return relation(
      member("outer", round + [round[0]]) + ","
        + list(count, separator: ",") { member("inner", box(0.5, 10 + Double($0) / 1000, 0.0001)) }
    )
  },
  .init("overpass: members without a role") { count in
    osm(
      "{\"type\":\"relation\",\"id\":1,\"center\":{\"lat\":1,\"lon\":1},\"tags\":{\"name\":\"r\"},"
        + "\"members\":[\(list(count, separator: ",") { _ in member("", [(0, 0), (1, 1)]) })]}"
    )
  },

  // mixare and Layar.
  .init("mixare: entries") { count in
    "{\"results\":[\(list(count, separator: ",") { "{\"id\":\"\($0)\",\"title\":\"a\",\"lat\":1,\"lng\":2,\"elevation\":3}" })]}"
  },
  .init("mixare: entries of one name") { count in
    "{\"results\":[\(list(count, separator: ",") { _ in "{\"title\":\"a\",\"lat\":1,\"lng\":2,\"elevation\":3}" })]}"
  },
  .init("mixare: unknown members") { count in
    "{\"results\":[{\"title\":\"a\",\"lat\":1,\"lng\":2\(list(count) { ",\"m\($0)\":0" })}]}"
  },
  .init("layar: hotspots") { count in
    "{\"layer\":\"l\",\"errorCode\":0,\"hotspots\":["
      + list(count, separator: ",") {
        "{\"id\":\"\($0)\",\"anchor\":\"geo:1,2\",\"text\":{\"title\":\"a\"}}"
      } + "]}"
  },
  .init("layar: actions") { count in
    "{\"layer\":\"l\",\"errorCode\":0,\"hotspots\":[{\"id\":\"1\",\"anchor\":\"geo:1,2\",\"text\":{\"title\":\"a\"},\"actions\":["
      + list(count, separator: ",") { "{\"uri\":\"http://a.example/\($0)\"}" } + "]}]}"
  },
]
