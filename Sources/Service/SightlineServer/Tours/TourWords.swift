/// The few words that the server itself writes for teams: on sheets of codes, and in the documents of old clients.
struct TourWords: Sendable {
  var join: String
  var code: String
  var points: String
  var minutes: String
  var right: String
  var wrong: String
  var received: String
  var tooFar: String
  var notNow: String
  var hint: String
  var answerInBrowser: String
  var waiting: String
  var paused: String
  var over: String
  var leftArea: String

  /// Languages there are.
  static let codes = ["en", "sv", "fr", "de", "nl", "es", "zh"]

  /// The words of the first known language in a list such as `Accept-Language` has; English without one.
  init(languages: String?) {
    for part in (languages ?? "").split(separator: ",") {
      let tag = part.split(separator: ";").first?.trimming().lowercased() ?? ""
      let code = String(tag.prefix { $0 != "-" && $0 != "_" })
      if let words = TourWords.all[code] {
        self = words
        return
      }
    }
    self = TourWords.english
  }

  private init(_ words: [String]) {
    precondition(words.count == 15)
    (join, code, points, minutes, right) = (words[0], words[1], words[2], words[3], words[4])
    (wrong, received, tooFar, notNow, hint) = (words[5], words[6], words[7], words[8], words[9])
    (answerInBrowser, waiting, paused, over, leftArea) = (words[10], words[11], words[12], words[13], words[14])
  }

  private static let english = TourWords([
    "Scan with the phone's camera, or open the address and type the code.", "Code", "points", "min left", "Right!",
    "Not right.", "Your answer has arrived.", "Go closer to answer.", "This cannot be answered now.", "Hint",
    "Answer in the web browser", "The tour has not begun yet.", "The tour is paused.", "The tour is over.",
    "You have left the area of the tour. Go back.",
  ])

  private static let all: [String: TourWords] = [
    "en": english,
    "sv": TourWords([
      "Skanna med telefonens kamera, eller öppna adressen och skriv koden.", "Kod", "poäng", "min kvar", "Rätt!",
      "Inte rätt.", "Ert svar har kommit fram.", "Gå närmare för att svara.", "Det går inte att svara på detta nu.",
      "Ledtråd", "Svara i webbläsaren", "Turen har inte börjat ännu.", "Turen är pausad.", "Turen är slut.",
      "Ni har lämnat turens område. Gå tillbaka.",
    ]),
    "fr": TourWords([
      "Scannez avec l’appareil photo du téléphone, ou ouvrez l’adresse et tapez le code.", "Code", "points",
      "min restantes", "Exact !", "Ce n’est pas ça.", "Votre réponse est arrivée.", "Approchez-vous pour répondre.",
      "On ne peut pas répondre maintenant.", "Indice", "Répondre dans le navigateur",
      "Le parcours n’a pas encore commencé.", "Le parcours est en pause.", "Le parcours est terminé.",
      "Vous avez quitté la zone du parcours. Revenez.",
    ]),
    "de": TourWords([
      "Mit der Kamera des Telefons scannen, oder die Adresse öffnen und den Code eintippen.", "Code", "Punkte",
      "Min. übrig", "Richtig!", "Nicht richtig.", "Eure Antwort ist angekommen.", "Geht zum Antworten näher heran.",
      "Das kann jetzt nicht beantwortet werden.", "Hinweis", "Im Browser antworten",
      "Die Tour hat noch nicht begonnen.", "Die Tour macht Pause.", "Die Tour ist zu Ende.",
      "Ihr habt das Gebiet der Tour verlassen. Kehrt um.",
    ]),
    "nl": TourWords([
      "Scan met de camera van de telefoon, of open het adres en typ de code.", "Code", "punten", "min over", "Goed!",
      "Niet goed.", "Jullie antwoord is binnen.", "Ga dichterbij om te antwoorden.",
      "Dit kan nu niet beantwoord worden.", "Hint", "Antwoord in de browser", "De tour is nog niet begonnen.",
      "De tour is gepauzeerd.", "De tour is afgelopen.", "Jullie zijn buiten het gebied van de tour. Ga terug.",
    ]),
    "es": TourWords([
      "Escanead con la cámara del teléfono, o abrid la dirección y escribid el código.", "Código", "puntos",
      "min restantes", "¡Correcto!", "No es correcto.", "Vuestra respuesta ha llegado.",
      "Acercaos para responder.", "Ahora no se puede responder.", "Pista", "Responder en el navegador",
      "El recorrido aún no ha empezado.", "El recorrido está en pausa.", "El recorrido ha terminado.",
      "Habéis salido de la zona del recorrido. Volved.",
    ]),
    "zh": TourWords([
      "用手机相机扫码，或打开网址并输入代码。", "代码", "分", "分钟剩余", "答对了！", "不对。", "答案已收到。", "请走近一些再作答。",
      "现在不能作答。", "提示", "在浏览器中作答", "活动尚未开始。", "活动已暂停。", "活动已结束。", "你们已离开活动区域，请返回。",
    ]),
  ]
}
