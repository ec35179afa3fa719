import Foundation

/// How hard a password is to guess for somebody who tries the usual ones first.
///
/// Programs that guess begin with common words, names, rows of keys, numbers in order, years, and all of these repeated,
/// capitalised, with digits for letters, and put together. A password is cut into such pieces, in the way that makes the
/// least of it, and the bits of the pieces are added up. That refuses what stands in lists of broken passwords (their
/// long entries are nearly all made like this) without a list of somebody else's, and what only this server's visitors
/// would try: its name, the account's.
struct PasswordStrength: Sendable {
  /// Least bits of a password that is taken.
  static let leastBits = 34.0

  /// Words that are about this account and server; they are worth next to nothing.
  private let context: Set<String>

  /// A judge; `context` are names of the account and the server, cut at everything that is no letter.
  init(context: [String]) {
    var words: Set<String> = []
    for text in context + ["sightline"] {
      let folded = Self.folded(text)
      for word in folded.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) + [folded[...]]
      where (3...40).contains(word.count) {
        words.insert(String(word))
      }
    }
    self.context = words
  }

  /// Bits of the password: the binary logarithm of the tries that it takes, more or less.
  ///
  /// - Complexity: O(*n* · 40) for *n* characters.
  func bits(_ password: String) -> Double {
    let plain = Array(Self.folded(password))
    let unmasked = plain.map { Self.masks[$0] ?? $0 }
    guard !plain.isEmpty else { return 0 }
    // least[i]: bits of the first i characters.
    var least = [Double](repeating: .infinity, count: plain.count + 1)
    least[0] = 0
    for start in plain.indices {
      let before = least[start]
      func offer(_ length: Int, _ bits: Double) { least[start + length] = min(least[start + length], before + bits) }
      offer(1, Self.bits(of: plain[start]))
      for (length, bits) in Self.runs(plain, at: start) { offer(length, bits) }
      if let bits = Self.yearBits(plain, at: start) { offer(4, bits) }
      for length in 3...40 where start + length <= plain.count {
        let piece = plain[start..<start + length]
        if start >= length, plain[(start - length)..<start] == piece { offer(length, 1) }
        if let bits = wordBits(String(piece)) { offer(length, bits) }
        let other = unmasked[start..<start + length]
        if other != piece, let bits = wordBits(String(other)) { offer(length, bits + 1) }
      }
    }
    return least[plain.count]
  }

  private func wordBits(_ word: String) -> Double? {
    if context.contains(word) { return 2 }
    return Self.commonWords.contains(word) ? 8 : nil
  }

  /// Letters as they are compared: without case and accents, and without which of two ways to write them.
  private static func folded(_ text: String) -> String {
    text.precomposedStringWithCompatibilityMapping
      .folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: Locale(identifier: "en"))
  }

  /// Signs that stand for letters.
  private static let masks: [Character: Character] = [
    "0": "o", "1": "i", "!": "i", "3": "e", "4": "a", "@": "a", "5": "s", "$": "s", "7": "t", "8": "b", "9": "g",
  ]

  /// What a character is worth that belongs to nothing.
  private static func bits(of character: Character) -> Double {
    if character.isNumber { return 3 }
    // Less than chance would give: letters come in words.
    return character.isLetter ? (character.isASCII ? 3.5 : 4.5) : 4
  }

  /// Years that somebody may remember, and dates' days and months as four digits.
  private static func yearBits(_ text: [Character], at start: Int) -> Double? {
    guard start + 4 <= text.count else { return nil }
    let piece = text[start..<start + 4]
    guard piece.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(String(piece)) else { return nil }
    return (1900...2099).contains(number) ? 6 : nil
  }

  /// Characters that stand in a row on a keyboard, in the alphabet or among numbers, either way, and repeated ones.
  private static func runs(_ text: [Character], at start: Int) -> [(length: Int, bits: Double)] {
    var found: [(length: Int, bits: Double)] = []
    var same = start + 1
    while same < text.count, text[same] == text[start] { same += 1 }
    if same - start >= 2 { found.append((same - start, bits(of: text[start]) + 1)) }
    for row in rows {
      guard let first = row[text[start]] else { continue }
      for direction in [1, -1] {
        var (end, position) = (start + 1, first)
        while end < text.count, let next = row[text[end]], next == position + direction {
          position = next
          end += 1
        }
        if end - start >= 3 { found.append((end - start, 6)) }
      }
    }
    return found
  }

  /// Places of characters in what is typed one after the other: rows and columns of keys, alphabet, numbers.
  private static let rows: [[Character: Int]] = [
    "0123456789", "1234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop",
    "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "1q2w3e4r5t6y7u8i9o0p", "1qaz", "2wsx", "3edc", "4rfv", "5tgb",
    "6yhn", "7ujm", "!@#$%^&*()", "!\"§$%&/()=", "qazwsxedcrfvtgbyhnujm", "147", "258", "369",
  ].map { row in
    var places: [Character: Int] = [:]
    // A character that comes twice in a row of keys counts where it comes first.
    for (place, key) in row.enumerated() where places[key] == nil { places[key] = place }
    return places
  }

  /// Words that passwords are often made of, in the languages of the page.
  ///
  /// Put together for this program: what people call a password, greetings, affection, names, months and days, animals,
  /// sports and clubs, what is near the keyboard, and what stands on every server.
  private static let commonWords: Set<String> = Set(
    """
    password passwort passwords passwd passphrase pass motdepasse contrasena clave wachtwoord geheim geheimnis losenord
    losen hemlig mima secret secrets secure security sicher sicherheit private privat login logon signin welcome
    willkommen bienvenue bienvenido welkom valkommen hello hallo bonjour salut hola hej goodbye access letmein enter
    open opensesame sesam sesame master admin administrator administrateur administrador root user username benutzer
    guest gast test testing tester test123 default changeme change system server service support manager office
    computer internet google facebook instagram youtube whatsapp telegram twitter microsoft windows apple iphone android
    samsung nokia linux ubuntu github database website school schule ecole escuela skola teacher lehrer student
    iloveyou loveyou love liebe lieben ichliebedich jetaime jtm tequiero teamo jagalskardig alskar ikhouvanjou woaini
    amour amor sweet sweetheart honey baby babygirl babyboy princess prinzessin princesse princesa prins queen king
    angel engel ange angelito angels heart hearts schatz schatzi cherie carino darling lovely beautiful handsome pretty
    friend friends friendship family familie famille familia mother mutter mama mami father vater papa papi sister
    brother daddy mommy forever always never happy smile lucky sunshine sonnenschein soleil rainbow regenbogen flower
    flowers blume blumen butterfly schmetterling papillon summer sommer verano ete winter hiver invierno spring
    fruhling printemps autumn herbst january january february march april june july august september october november
    december januar februar marz juni juli oktober dezember janvier fevrier mars avril juin juillet aout septembre
    octobre decembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
    lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo
    monkey dragon tiger lion shadow panther eagle falcon wolf bear kitty kitten cat cats dog dogs puppy hund katze
    chien chat perro gato hond maus mouse bunny hase rabbit turtle dolphin delfin fish bird spider snake phoenix unicorn
    football fussball futbol soccer baseball basketball hockey tennis golf volleyball handball cricket rugby skating
    surfing racing champion winner player gamer gaming arsenal chelsea liverpool manchester united city barcelona madrid
    realmadrid bayern munchen munich dortmund borussia schalke juventus milan inter ajax feyenoord psv marseille paris
    london berlin hamburg vienna wien zurich stockholm goteborg malmo amsterdam rotterdam mexico espana france germany
    deutschland schweiz austria osterreich sverige sweden nederland holland england america canada china beijing
    shanghai yankees lakers cowboys steelers patriots ferrari porsche mercedes lamborghini yamaha honda toyota harley
    corvette mustang camaro michael michelle jessica jennifer ashley daniel daniela andrew andrea andreas matthew
    joshua nicole nicolas amanda jordan thomas robert charlie charles george william anthony christian christopher
    sebastian alexander alexandra alejandro alexis stefan stephan stefanie stephanie martin martina michaela sabine
    claudia florian patrick patricia philipp philippe tobias markus marcus lukas julia julian laura sarah hannah sophie
    marie maria jesus carlos pedro antonio miguel angela pierre jean julien camille chloe manon lucas hugo emma erik
    anders johan karin kristina linnea oskar pieter jeroen sanne superman batman spiderman starwars starwarz pokemon
    pikachu naruto minecraft fortnite roblox callofduty counterstrike worldofwarcraft warcraft starcraft zelda mario
    luigi nintendo playstation xbox matrix hellokitty disney mickey mickeymouse harrypotter potter gandalf frodo
    metallica nirvana slipknot eminem beatles blink182 linkinpark justin bieber onedirection music musik guitar rock
    rockstar rocknroll whatever nothing nothings something killer ninja hunter ranger soldier warrior knight wizard
    magic merlin freedom liberty peace power energy thunder lightning hardcore diamond silver golden orange banana
    cherry chocolate schokolade cookie cookies coffee kaffee pepper ginger peanut pumpkin strawberry pineapple coconut
    cheese pizza burger vodka whiskey money dollar million business success fuckyou fuckoff fuck bitch asshole shit
    sexy pussy hottie scheisse arschloch merde putain mierda puta trustno trustno1 internet123 letmein123 abcdef
    abc123 abcd1234 qwerty qwertz azerty qwerty123 qwertyui asdf asdfgh zxcvbn qazwsx q1w2e3r4 aa123456 a123456
    p455w0rd correcthorse batterystaple administration unbelievable undertaker understand
    information communication congratulations environment international imagination intelligence construction
    professional relationship responsibility revolution technology temptation tinkerbell transformers underground
    university valentina valentine veronica watermelon wonderful wonderland
    """.split(whereSeparator: \.isWhitespace).map { folded(String($0)) }
  )
}
