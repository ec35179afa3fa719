// swift-format-ignore-file
// Declarations without explanations: Apple's own explain them.
// For checking only, see README.md.
import Foundation

open class CALayer: NSObject {}
