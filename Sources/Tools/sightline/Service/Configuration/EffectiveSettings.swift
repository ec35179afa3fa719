import Foundation

/// What counts for every setting and where it comes from: what `sightline serve --check-config` prints.
enum EffectiveSettings {
  /// Rows with name, value and origin in columns.
  static func table() -> String {
    let rows = KnownSetting.all.map { setting -> [String] in
      guard let found = Setting.found(setting.name) else { return [setting.name, setting.usual, "default"] }
      let value = found.texts.map { shown($0, of: setting.name) }.joined(separator: ", ")
      return [setting.name, value, words(found.origin, setting.name)]
    }
    let widths = (0..<2).map { column in min(48, rows.map { $0[column].count }.max() ?? 0) }
    return rows.map { row in
      (0..<2).map { row[$0] + String(repeating: " ", count: max(0, widths[$0] - row[$0].count)) + "  " }.joined()
        + row[2]
    }.joined(separator: "\n")
  }

  /// Variables of the environment that look like settings and are none: perhaps one letter is wrong.
  static func strangeVariables(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
    let known =
      KnownSetting.all.map { Setting.variable($0.name) } + ["SIGHTLINE_CONFIG", "SIGHTLINE_DATABASE_PASSWORD"]
    return environment.keys.filter { $0.hasPrefix("SIGHTLINE_") && !known.contains($0) }.sorted().compactMap { name in
      guard let nearest = known.map({ ($0, CommandHint.slips(name, $0)) }).min(by: { $0.1 < $1.1 }), nearest.1 <= 3
      else { return nil }
      return "\(name) is no setting. Did you mean \(nearest.0)?"
    }
  }

  /// A value without passwords.
  private static func shown(_ text: String, of name: String) -> String {
    KnownSetting.isSecret(name) ? "***" : ProcessArguments.blotted(text)
  }

  private static func words(_ origin: Setting.Origin, _ name: String) -> String {
    switch origin {
    case .option: "--\(name)"
    case .variable: Setting.variable(name)
    case .file(let path, let line): "\(path), line \(line)"
    }
  }
}
