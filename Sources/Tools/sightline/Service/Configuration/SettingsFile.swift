import ArgumentParser
import Configuration
import Foundation

/// A file with settings, whose members are called as the options of `sightline serve` are.
///
/// It is a provider of swift-configuration, and knows the line of each value.
struct SettingsFile: ConfigProvider, ConfigSnapshot {
  /// What a setting may be.
  enum Value: Equatable, Sendable {
    case text(String), number(Int), flag(Bool), list([String])
  }

  /// One setting.
  struct Entry: Equatable, Sendable {
    var name: String
    var value: Value
    /// The line that its name stands in.
    var line: Int
  }

  /// Where it is read by itself.
  static let usualPath = "/etc/sightline/sightline.json"
  /// Largest file, bytes.
  static let mostBytes = 1 << 20

  /// Where it lies.
  let path: String
  private let entries: [String: Entry]

  /// Reads the file that was named, by the option or the variable, or the usual one, and lets ``Setting`` find what is in it.
  static func use(named given: String?) throws {
    let named = Setting.text(given, "config")
    guard named != "none" else { return Setting.use(ConfiguredSettings(file: nil)) }
    if named == nil {
      guard FileManager.default.fileExists(atPath: usualPath) else { return }
      guard FileManager.default.isReadableFile(atPath: usualPath) else {
        Console.note("The settings in \(usualPath) may not be read by this user; going on without them.")
        return
      }
    }
    Setting.use(ConfiguredSettings(file: try SettingsFile(path: named ?? usualPath)))
  }

  /// Reads a file.
  ///
  /// - Throws: Everything that is wrong with it, with lines and advice.
  init(path: String) throws {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw ValidationError("The settings \(path) cannot be read. Correct --config, or the file's rights.")
    }
    defer { try? file.close() }
    let data = (try? file.read(upToCount: Self.mostBytes + 1)) ?? Data()
    guard data.count <= Self.mostBytes else {
      throw ValidationError("\(path) is larger than \(Self.mostBytes >> 10) KiB: this is no file with settings.")
    }
    let read: [Entry]
    do {
      read = try SettingsReader.read([UInt8](data))
    } catch {
      throw ValidationError("\(path), line \(error.line): \(error.message)")
    }
    let faults = Self.faults(of: read, known: KnownSetting.all)
    guard faults.isEmpty else {
      // One line for each: whoever corrects a file wants to see them all.
      throw ValidationError(faults.map { "\(path), line \($0.line): \($0.message)" }.joined(separator: "\n"))
    }
    self.path = path
    entries = Dictionary(read.map { ($0.name, $0) }) { first, _ in first }
  }

  private static func faults(of entries: [Entry], known: [KnownSetting]) -> [SettingsReader.Failure] {
    let byName = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
    var lines: [String: Int] = [:]
    var faults: [SettingsReader.Failure] = []
    for entry in entries {
      func fault(_ message: String) { faults.append(.init(line: entry.line, message: message)) }
      guard let setting = byName[entry.name] else {
        fault(unknown(entry.name, known))
        continue
      }
      if let first = lines[entry.name] { fault("\(entry.name) stands in line \(first) already. Take one of them out.") }
      lines[entry.name] = lines[entry.name] ?? entry.line
      switch (entry.value, setting.kind) {
      case (.flag, .flag), (.text, .text), (.number, .text), (.text, .list), (.list, .list): continue
      case (_, .flag): fault("\(entry.name) has to be true or false.")
      case (.flag, _): fault("\(entry.name) may not be true or false; \(setting.kind.words)")
      case (.list, _): fault("\(entry.name) may not be a list; \(setting.kind.words)")
      case (.number, .list): fault("\(entry.name) may not be a number; \(setting.kind.words)")
      }
    }
    return faults
  }

  private static func unknown(_ name: String, _ known: [KnownSetting]) -> String {
    let nearest = known.map { ($0.name, CommandHint.slips(name, $0.name)) }.min { $0.1 < $1.1 }
    let shown = name.prefix(60)
    guard let (meant, slips) = nearest, slips <= max(2, meant.count / 3) else {
      return
        "there is no setting \"\(shown)\". sightline help serve lists all options; a setting is called as its option."
    }
    return "there is no setting \"\(shown)\". Did you mean \"\(meant)\"?"
  }

  /// The line of a setting.
  func line(_ option: String) -> Int? { entries[option]?.line }

  // MARK: Provider

  /// How swift-configuration calls it.
  var providerName: String { path }

  /// The value of a setting; its name is the key's last component.
  func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
    let name = key.components.last ?? ""
    guard let value = entries[name]?.value else { return LookupResult(encodedKey: name, value: nil) }
    let content: ConfigContent
    switch value {
    case .text(let text): content = type == .stringArray ? .stringArray([text]) : .string(text)
    case .number(let number): content = type == .stringArray ? .stringArray([String(number)]) : .string(String(number))
    case .flag(let flag): content = type == .stringArray ? .stringArray([String(flag)]) : .string(String(flag))
    case .list(let texts): content = .stringArray(texts)
    }
    return LookupResult(encodedKey: name, value: ConfigValue(content, isSecret: KnownSetting.isSecret(name)))
  }

  func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
    try value(forKey: key, type: type)
  }

  nonisolated(nonsending) func watchValue<Return: ~Copyable>(
    forKey key: AbsoluteConfigKey,
    type: ConfigType,
    updatesHandler:
      nonisolated(nonsending) (_ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>)
      async throws ->
      Return
  ) async throws -> Return {
    try await watchValueFromValue(forKey: key, type: type, updatesHandler: updatesHandler)
  }

  func snapshot() -> any ConfigSnapshot { self }

  nonisolated(nonsending) func watchSnapshot<Return: ~Copyable>(
    updatesHandler:
      nonisolated(nonsending) (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
  ) async throws -> Return {
    try await watchSnapshotFromSnapshot(updatesHandler: updatesHandler)
  }
}
