// For checking only, see README.md.
import Foundation

open class CALayer: NSObject {}
