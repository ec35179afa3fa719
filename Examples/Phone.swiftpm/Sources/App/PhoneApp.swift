#if canImport(SwiftUI) && canImport(UIKit)
import SwiftUI

/// Places around you and a marker on the table, over the camera's picture.
@main
struct PhoneApp: App {
  var body: some Scene {
    WindowGroup { PhoneView() }
  }
}
#endif
