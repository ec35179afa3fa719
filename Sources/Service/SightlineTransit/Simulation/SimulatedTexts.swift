/// What made-up notices say, in the languages of the page; each says that it is made up.
struct SimulatedTexts {
  var header = RealtimeMessage.Text()
  var body = RealtimeMessage.Text()

  private init(_ name: String, _ texts: [(language: String, header: String, body: String)]) {
    header.translations = texts.map { ($0.language, $0.header.replacing("{}", with: name)) }
    body.translations = texts.map { ($0.language, $0.body.replacing("{}", with: name)) }
  }

  /// A line is late.
  static func delays(of line: String) -> Self {
    Self(
      line,
      [
        (
          "en", "Line {}: delays of up to 15 minutes",
          "Because of works on the track, line {} runs late and some trips are cancelled. Made up for this demonstration."
        ),
        (
          "de", "Linie {}: bis zu 15 Minuten Verspätung",
          "Wegen Bauarbeiten am Gleis ist die Linie {} verspätet, einzelne Fahrten fallen aus. Für diese Vorführung erfunden."
        ),
        (
          "es", "Línea {}: retrasos de hasta 15 minutos",
          "Por obras en la vía, la línea {} circula con retraso y se suprimen algunos viajes. Inventado para esta demostración."
        ),
        (
          "fr", "Ligne {} : jusqu’à 15 minutes de retard",
          "En raison de travaux sur la voie, la ligne {} est retardée et certains trajets sont supprimés. Inventé pour cette démonstration."
        ),
        (
          "nl", "Lijn {}: tot 15 minuten vertraging",
          "Door werkzaamheden aan het spoor is lijn {} vertraagd en vallen enkele ritten uit. Verzonnen voor deze demonstratie."
        ),
        (
          "sv", "Linje {}: upp till 15 minuters försening",
          "På grund av spårarbeten är linje {} försenad och några turer är inställda. Påhittat för den här demonstrationen."
        ),
        ("zh", "{} 路：最多延误 15 分钟", "因轨道施工，{} 路晚点，部分班次取消。此通知为演示而编造。"),
      ]
    )
  }

  /// A stop is passed by.
  static func closed(_ stop: String) -> Self {
    Self(
      stop,
      [
        (
          "en", "{}: stop closed",
          "Because of works, nothing stops at this platform of {}. Made up for this demonstration."
        ),
        (
          "de", "{}: Haltestelle aufgehoben",
          "Wegen Bauarbeiten hält an diesem Steig von {} nichts. Für diese Vorführung erfunden."
        ),
        (
          "es", "{}: parada fuera de servicio",
          "Por obras, nada para en este andén de {}. Inventado para esta demostración."
        ),
        (
          "fr", "{} : arrêt non desservi",
          "En raison de travaux, rien ne s’arrête à ce quai de {}. Inventé pour cette démonstration."
        ),
        (
          "nl", "{}: halte vervalt",
          "Door werkzaamheden stopt er niets bij dit perron van {}. Verzonnen voor deze demonstratie."
        ),
        (
          "sv", "{}: hållplatsen är stängd",
          "På grund av arbeten stannar inget vid det här läget på {}. Påhittat för den här demonstrationen."
        ),
        ("zh", "{}：站点停用", "因施工，{} 的此站台暂不停靠。此通知为演示而编造。"),
      ]
    )
  }
}
