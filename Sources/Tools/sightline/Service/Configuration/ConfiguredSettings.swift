import Configuration
import Foundation
import Synchronization

/// The environment over a file with settings, read by swift-configuration.
final class ConfiguredSettings: SettingSource, AccessReporter {
  private let file: SettingsFile?
  private let environment: EnvironmentVariablesProvider
  /// Whose value each option has.
  private let providers = Mutex<[String: String]>([:])

  init(file: SettingsFile?, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.file = file
    // An empty variable counts as not set.
    let variables = environment.filter { $0.key.hasPrefix("SIGHTLINE_") && !$0.value.isEmpty }
    // A path with a comma in it is one path: lists are for the command line and the file.
    self.environment = EnvironmentVariablesProvider(environmentVariables: variables, arraySeparator: "\u{0}")
  }

  func find(_ option: String) -> Setting.Found? {
    var sources: [any ConfigProvider] = [environment]
    if let file { sources.append(file) }
    // A key of these two is SIGHTLINE_TLS_CERT in the environment, and its last one the member of the file.
    let reader = ConfigReader(providers: sources, accessReporter: self)
    guard
      let texts = reader.stringArray(
        forKey: ConfigKey(["sightline", option]),
        isSecret: KnownSetting.isSecret(option)
      )
    else { return nil }
    let provider = providers.withLock { $0[option] }
    guard let file, provider == file.providerName, let line = file.line(option) else {
      return Setting.Found(texts: texts, origin: .variable)
    }
    return Setting.Found(texts: texts, origin: .file(path: file.path, line: line))
  }

  /// Notes who had the value.
  func report(_ event: AccessEvent) {
    guard let option = event.metadata.key.components.last else { return }
    let source = event.providerResults.first { (try? $0.result.get().value) != nil }
    providers.withLock { $0[option] = source?.providerName }
  }
}
