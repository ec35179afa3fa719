import Crypto
import Foundation
import SightlineStore

/// A few characters that tell contents apart in an entity tag.
enum ContentTag {
  /// 96 bits of SHA-256, as hexadecimal digits: two contents never share one by chance.
  static func of(_ bytes: some DataProtocol) -> String {
    String(Data(SHA256.hash(data: bytes)).hexadecimal.prefix(24))
  }
}
