/// Values as people write them, and as nobody should.
enum Values {
  private static let numbers = [
    "0", "-0", "+0", "0.0", "-0.0", "1", "-1", "00", "007", "1.", ".5", "-.5", "+5", "1e0", "1E5", "0x10", "0b1",
    "1_000",
    "1,5", "1 000", "NaN", "nan", "-NaN", "INF", "-INF", "inf", "Infinity", "-Infinity", "nan(0x1)", "infinity",
    "1e308", "-1e308", "1.7976931348623157e308", "1.7976931348623159e308", "1e309", "-1e309", "1e400", "1e99999",
    "1e-320", "-1e-320", "4.9e-324", "2e-324", "1e-400", "2.2250738585072014e-308", "1e", "1e+", "e5", "-", "+", ".",
    "--1",
    "127", "128", "-128", "-129", "255", "256", "32767", "32768", "65535", "65536",
    "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
    "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "9.223372036854775807e18", "9223372036854774784", "9.3e18",
    "-9.3e18",
    "1e15", "1e16", "1e17", "3.6e16", "1e18", "1e19", "1e20", "1e100", "0.1", "0.3333333333333333", "99999999999",
    "1e-7",
    "90", "-90", "90.0000001", "180", "-180", "180.0000001", "360", "-360", "91", "181", "1000000", "8640000000000000",
    "253402300799", "253402300800", "-62135596800", "1099511627775", "1099511627776", "86399", "86400", "1e-5",
  ]

  /// A number of the kind that readers trip over: at the ends of ranges, not a number, or a long run of digits.
  static func extremeNumber(_ random: inout Random) -> String {
    guard random.once(in: 5) else { return numbers[random.below(numbers.count)] }
    let digit = random.once(in: 3) ? "0" : String(random.below(10))
    let count = random.once(in: 40) ? random.number(in: 400...3000) : random.number(in: 15...60)
    let run = String(repeating: digit, count: count)
    switch random.below(7) {
    case 0: return run
    case 1: return "-" + run
    case 2: return "1." + run
    case 3: return "48." + run + "1"
    case 4: return run + "." + run
    case 5: return "1e" + run
    default: return "0." + run + "7e-5"
    }
  }

  private static let integers: [Int] = [
    0, 1, -1, 2, 7, 127, 128, 255, 256, -128, -129, 32_767, 32_768, 65_535, 65_536, 1 << 24, 1 << 31 - 1, 1 << 31,
    -(1 << 31),
    -(1 << 31) - 1, 1 << 32 - 1, 1 << 32, 1 << 40, 1 << 53, 1 << 53 + 1, 1 << 62, .max, .max - 1, .min, .min + 1,
    .max / 2,
  ]

  /// A whole number at the end of some range, or any.
  static func extremeInteger(_ random: inout Random) -> Int {
    switch random.below(4) {
    case 0: Int(truncatingIfNeeded: random.next() >> UInt64(random.below(64)))
    case 1: integers[random.below(integers.count)] &+ random.number(in: -2...2)
    default: integers[random.below(integers.count)]
    }
  }

  private static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.5, 0x1p-1064, -0x1p-1064, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .infinity, -.infinity, .nan, 1e15, 1e17, 1e18, 9.3e18, -9.3e18, 0x1p31, 0x1p32, 0x1p53,
    0x1p63,
    -0x1p63, 0x1p64, 1e100, 1e-7, 90, 180, -180, 360, 1e6,
  ]

  /// A number at the end of some range, or any.
  static func extremeDouble(_ random: inout Random) -> Double {
    random.once(in: 5) ? Double(bitPattern: random.next()) : doubles[random.below(doubles.count)]
  }

  private static let texts = [
    "", " ", "\n", "\t \r\n", "\u{0}", "a\u{0}b", "\u{1}", "\u{7F}", "\u{85}", "\u{A0}", "\u{2028}", "\u{FEFF}",
    "\u{FFFE}",
    "\u{FFFF}", "\u{FFFD}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "e\u{301}\u{301}\u{301}", "\u{202E}abc", "ß",
    "ﬃ",
    "İ", "Å", "日本語", "true", "false", "null", "TRUE", "yes", "none", "undefined", "[object Object]",
    "]]>", "<![CDATA[x]]>", "<!--", "-->", "<b>x</b>", "&amp;", "&#0;", "&#x110000;", "&#xD800;", "&lol;", "&lt", "&",
    "<", ">",
    "\"", "'", "\\", "\\u0000", "\\uD800", "\\", "{", "}", "[", "]", "$[name]", "$[description]", "$[x]$[x]", "%00",
    "%", "%s%n",
    "#", "#x", "#shared", "#ff00ff", "ff00ff00", "#ff", "#ffffffffff", "rgb(0,0,0)", "/", "//", "///", "..", "../..",
    "a/../../b",
    "?", "?a=b&c=d", "http://", "http://[::1", "http://a:99999/", "https://a.example/b?c#d", "javascript:alert(1)",
    "data:,x", "data:image/png;base64,AAAA", "file:///etc/passwd", "mailto:a@b", "tel:1", "about:blank",
    "HTTP://A.EXAMPLE",
    "2026-03-02T07:00:10Z", "9999-12-31T23:59:59Z", "0000-00-00T00:00:00Z", "2026-02-30T25:61:61+99:99",
    "99:99:99", "24:00:00", "-1:00:00", "20260302", "99999999", "48.4,9.98", "48.4 9.98", "9.98,48.4,500 9.99,48.5",
    "1 2 3", ",", ";", ", ,", "a,b", "a;b", "a|b", "1,2,3,4,5,6,7,8,9", "A3", "0x0", "1e30x5", "P1D", "PT1S",
  ]

  /// A text that is hard on readers and writers.
  static func extremeText(_ random: inout Random) -> String {
    switch random.below(40) {
    case 0..<8: return extremeNumber(&random)
    case 8..<10:
      return String(repeating: texts[random.below(texts.count)], count: random.number(in: 2...30))
    case 10 where random.once(in: 8):
      return String(repeating: random.pick(["a", "ä", " ", "$[name]", "/", "&amp;", "1 ", "1,"]), count: size(&random))
    default: return texts[random.below(texts.count)]
    }
  }

  /// Length of something that is large: mostly hundreds, seldom tens of thousands.
  static func size(_ random: inout Random) -> Int {
    random.once(in: 12) ? random.number(in: 2_000...40_000) : random.number(in: 100...2_000)
  }

  private static let words = [
    "Ulm", "Münster", "Old town", "Café", "Bus 4", "a", "B", "north", "Tor 2", "Ratskeller", "x1", "Fountain", "museum",
    "École",
  ]
  /// A name as people give them.
  static func word(_ random: inout Random) -> String { words[random.below(words.count)] }

  private static let identifiers = ["a", "b", "c", "d1", "x-2", "p.3", "shared", "style1", "g"]
  /// One of few identifiers, so that the same one is met again.
  static func identifier(_ random: inout Random) -> String { identifiers[random.below(identifiers.count)] }

  private static let addresses = [
    "http://a.example/b.png", "https://a.example/models/c.glb", "/assets/1.png", "b.jpg", "../d.dae",
    "https://a.example/e?f=1&g=2",
    "#shared", "https://a.example/page.html",
  ]
  /// An address as worlds hold them.
  static func address(_ random: inout Random) -> String { addresses[random.below(addresses.count)] }

  private static let decimals = ["", ".5", ".25", ".4042981", ".979349", ".0", ".00001", ".125"]
  /// A decimal number whose whole part is in the range.
  static func decimal(_ random: inout Random, _ range: ClosedRange<Int>) -> String {
    String(random.number(in: range)) + decimals[random.below(decimals.count)]
  }
  /// A latitude.
  static func latitude(_ random: inout Random) -> String { decimal(&random, random.once(in: 10) ? -89...89 : 48...49) }
  /// A longitude.
  static func longitude(_ random: inout Random) -> String {
    decimal(&random, random.once(in: 10) ? -179...179 : 9...10)
  }
  /// `true` or `false`.
  static func flag(_ random: inout Random) -> String { random.once(in: 2) ? "true" : "false" }
  /// A colour, `#rrggbb`.
  static func color(_ random: inout Random) -> String {
    random.pick(["#ff0000", "#00ff7f", "#123456", "#000", "#ffffffff"])
  }
}
