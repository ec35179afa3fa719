// swift-format-ignore-file
// Declarations without explanations: Apple's own explain them.
// For checking only, see README.md.
import CoreVideo

public struct CMTime: Sendable {}
public class CMSampleBuffer {}
public func CMTimeGetSeconds(_ time: CMTime) -> Double { fatalError() }
public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVImageBuffer? { fatalError() }
public func CMSampleBufferGetPresentationTimeStamp(_ buffer: CMSampleBuffer) -> CMTime { fatalError() }
