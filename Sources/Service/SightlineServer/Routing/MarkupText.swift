/// Text between the marks of HTML.
enum MarkupText {
  /// Text as the value of an attribute, or between two tags.
  static func escaped(_ text: String) -> String {
    var output = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      default: output.unicodeScalars.append(character)
      }
    }
    return output
  }
}
