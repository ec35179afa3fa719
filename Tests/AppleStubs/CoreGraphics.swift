// swift-format-ignore-file
// Declarations without explanations: Apple's own explain them.
// For checking only, see README.md. Foundation has the types where there is no CoreGraphics.
@_exported import Foundation
