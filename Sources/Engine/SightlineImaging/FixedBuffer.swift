/// Memory for many numbers, reached without checks in inner loops and given back with its owner.
///
/// A reference: whoever holds it sees what others write. Nothing checks what is read and written through ``base``.
public final class FixedBuffer<Element: BitwiseCopyable> {
  /// The first element.
  public let base: UnsafeMutablePointer<Element>
  /// Room, elements.
  public let count: Int

  /// Room for so many elements, at least one.
  public init(count: Int, filledWith value: Element) {
    self.count = max(1, count)
    base = UnsafeMutablePointer<Element>.allocate(capacity: self.count)
    base.initialize(repeating: value, count: self.count)
  }

  deinit { base.deallocate() }
}
