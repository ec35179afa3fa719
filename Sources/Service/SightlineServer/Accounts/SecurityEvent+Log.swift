import Logging
import SightlineStore

extension SecurityEvent {
  /// The line as fields of the server's log: numbers of accounts, no names and no addresses.
  var metadata: Logger.Metadata {
    var fields: Logger.Metadata = ["event": .string(kind.rawValue)]
    if let account { fields["account"] = .stringConvertible(account) }
    if let actor { fields["actor"] = .stringConvertible(actor) }
    if !detail.isEmpty { fields["detail"] = .string(detail) }
    return fields
  }
}
