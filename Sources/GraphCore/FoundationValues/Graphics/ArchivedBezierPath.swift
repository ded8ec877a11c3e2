import Foundation

/// An NSBezierPath: lines and curves.
///
/// Each point takes nine bytes: what is drawn, and two floats with the highest byte first. A curve
/// takes three, its end last (measured on real archives; GNUstep's NSBezierPath.m).
public struct ArchivedBezierPath: FoundationObject {
  /// A step of the path.
  public struct Segment: Sendable, Hashable, Encodable {
    /// The operation of the step.
    public let operation: Operation
    /// The point that the step leads to; for a curve after two control points.
    public let points: [ArchivedPoint]
  }

  /// The operation of a step.
  public enum Operation: String, Sendable, Hashable, Encodable {
    /// Nothing: a new line begins.
    case moveTo
    /// A straight line.
    case lineTo
    /// A curve.
    case curveTo
    /// A line to where the last one began.
    case close
  }

  /// The name of the class, as archived.
  public let `class`: String
  /// The steps.
  public let segments: [Segment]
  /// The width of the line.
  public let lineWidth: Double?
  /// The greatest deviation of curves.
  public let flatness: Double?
  /// The limit on the length of pointed corners.
  public let miterLimit: Double?
  /// The rule for the inside: NSWindingRule.
  public let windingRule: Int?
  /// The ends of lines: NSLineCapStyle.
  public let lineCapStyle: Int?
  /// The corners of lines: NSLineJoinStyle.
  public let lineJoinStyle: Int?

  static let classNames = ["NSBezierPath"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    guard let segments = Self.segments(in: parts.data("NSSegments") ?? Data()) else { return nil }
    self.segments = segments
    parts.grow(by: ValueWeight(parts: segments.count * 3))
    lineWidth = parts.real("NSLineWidth")
    flatness = parts.real("NSFlatness")
    miterLimit = parts.real("NSMiterLimit")
    windingRule = parts.integer("NSWindingRule")
    lineCapStyle = parts.integer("NSLineCapStyle")
    lineJoinStyle = parts.integer("NSLineJoinStyle")
  }

  private static func segments(in data: Data) -> [Segment]? {
    guard data.count.isMultiple(of: 9) else { return nil }
    let operations: [Operation] = [.moveTo, .lineTo, .curveTo, .close]
    var segments: [Segment] = []
    var points: [ArchivedPoint] = []
    for start in stride(from: data.startIndex, to: data.endIndex, by: 9) {
      guard Int(data[start]) < operations.count else { return nil }
      let operation = operations[Int(data[start])]
      let numbers = data[start + 1..<start + 9].bigEndianFloats
      guard operation == .curveTo || points.isEmpty else { return nil }
      points.append(ArchivedPoint(x: numbers[0], y: numbers[1]))
      if operation == .curveTo, points.count < 3 { continue }
      segments.append(Segment(operation: operation, points: points))
      points = []
    }
    return points.isEmpty ? segments : nil
  }
}
