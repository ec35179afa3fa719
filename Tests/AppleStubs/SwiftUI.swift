// swift-format-ignore-file
// Declarations without explanations: Apple's own explain them.
// For checking only, see README.md. Modifiers give `some View`, as their types do not matter.
@_exported import CoreGraphics
@_exported import Foundation
import UIKit

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: View {
  public var body: Never { fatalError() }
}
/// A view without a body of its own.
public protocol PrimitiveView: View where Body == Never {}
extension PrimitiveView {
  public var body: Never { fatalError() }
}
public struct EmptyView: PrimitiveView { public init() {} }
public struct TupleView: PrimitiveView {}
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

@resultBuilder public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { fatalError() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView { fatalError() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

@MainActor @preconcurrency public protocol Scene {}
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}
extension App { @MainActor public static func main() {} }
public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
}

@propertyWrapper public struct State<Value> {
  public init(wrappedValue: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
}

public struct Text: PrimitiveView { public init<S: StringProtocol>(_ content: S) {} }
public struct ZStack<Content: View>: PrimitiveView { public init(@ViewBuilder content: () -> Content) {} }
public struct GeometryProxy { public var size: CGSize { fatalError() } }
public struct GeometryReader<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
}
public struct ForEach<Data: RandomAccessCollection, Content: View>: PrimitiveView where Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
public protocol TimelineSchedule {}
public struct AnimationTimelineSchedule: TimelineSchedule {}
extension TimelineSchedule where Self == AnimationTimelineSchedule {
  public static var animation: AnimationTimelineSchedule { fatalError() }
}
public struct TimelineViewContext { public var date: Date { fatalError() } }
public struct TimelineView<Schedule: TimelineSchedule, Content: View>: PrimitiveView {
  public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewContext) -> Content) {}
}

public protocol ShapeStyle {}
public struct Color: ShapeStyle, PrimitiveView, Sendable { public static let green = Color() }
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material { public static var regularMaterial: Material { fatalError() } }
public struct Path: PrimitiveView {
  public init(_ callback: (inout Path) -> Void) {}
  public mutating func addLines(_ lines: [CGPoint]) {}
  public mutating func closeSubpath() {}
  public func stroke<Style: ShapeStyle>(_ content: Style, lineWidth: CGFloat = 1) -> some View { EmptyView() }
}
public struct Font: Sendable { public static let footnote = Font() }
public enum TextAlignment: Sendable {
  case leading
  case center
  case trailing
}
public struct Angle: Sendable { public static func radians(_ radians: Double) -> Angle { fatalError() } }

extension View {
  public func padding() -> some View { self }
  public func font(_ font: Font?) -> some View { self }
  public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { self }
  public func background<Style: ShapeStyle>(_ style: Style) -> some View { self }
  public func rotationEffect(_ angle: Angle) -> some View { self }
  public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
  public func opacity(_ opacity: Double) -> some View { self }
  public func ignoresSafeArea() -> some View { self }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
  public func onChange<V: Equatable>(of value: V, _ action: @escaping (V, V) -> Void) -> some View { self }
  public func task(_ action: sending @escaping @isolated(any) () async -> Void) -> some View { self }
}

@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
  associatedtype UIViewType: UIView
  typealias Context = UIViewRepresentableContext<Self>
  @MainActor @preconcurrency func makeUIView(context: Context) -> UIViewType
  @MainActor @preconcurrency func updateUIView(_ view: UIViewType, context: Context)
}
extension UIViewRepresentable { public var body: Never { fatalError() } }
@MainActor @preconcurrency public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {}
