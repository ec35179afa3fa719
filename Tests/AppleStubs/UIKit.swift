// swift-format-ignore-file
// Declarations without explanations: Apple's own explain them.
// For checking only, see README.md.
@_exported import CoreGraphics
@_exported import Foundation
@_exported import QuartzCore

@MainActor open class UIView {
  public init() {}
  open class var layerClass: AnyClass { CALayer.self }
  public var layer: CALayer { fatalError() }
}
