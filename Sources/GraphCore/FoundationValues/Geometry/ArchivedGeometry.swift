/// A point: an NSPoint or a CGPoint.
public struct ArchivedPoint: Sendable, Hashable, Encodable {
  /// The place from left to right.
  public var x: Double
  /// The other coordinate.
  public var y: Double

  /// Creates a point.
  ///
  /// - Parameters:
  ///   - x: The place from left to right.
  ///   - y: The other coordinate.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Reads a point as archives hold it: "{1, 2.5}".
  ///
  /// It is nil if the text has another form.
  ///
  /// - Parameter text: The text.
  public init?(text: String) {
    guard let numbers = GeometryText.numbers(text, like: "{#, #}") else { return nil }
    self.init(x: numbers[0], y: numbers[1])
  }
}

/// A size: an NSSize or a CGSize.
public struct ArchivedSize: Sendable, Hashable, Encodable {
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Creates a size.
  ///
  /// - Parameters:
  ///   - width: The width.
  ///   - height: The height.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Reads a size as archives hold it: "{640, 480}".
  ///
  /// It is nil if the text has another form.
  ///
  /// - Parameter text: The text.
  public init?(text: String) {
    guard let numbers = GeometryText.numbers(text, like: "{#, #}") else { return nil }
    self.init(width: numbers[0], height: numbers[1])
  }
}

/// A rectangle: an NSRect or a CGRect.
public struct ArchivedRect: Sendable, Hashable, Encodable {
  /// The left edge.
  public var x: Double
  /// The edge from which the height is counted.
  public var y: Double
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Creates a rectangle.
  ///
  /// - Parameters:
  ///   - x: The left edge.
  ///   - y: The edge from which the height is counted.
  ///   - width: The width.
  ///   - height: The height.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Reads a rectangle as archives hold it: "{{0, 0}, {640, 480}}".
  ///
  /// It is nil if the text has another form.
  ///
  /// - Parameter text: The text.
  public init?(text: String) {
    guard let numbers = GeometryText.numbers(text, like: "{{#, #}, {#, #}}") else { return nil }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

extension ArchivedConcreteValue {
  /// Distances from the edges of a rectangle: NSEdgeInsets or UIEdgeInsets.
  public struct EdgeInsets: Sendable, Hashable, Encodable {
    /// The distance from the top.
    public var top: Double
    /// The distance from the left.
    public var left: Double
    /// The distance from the bottom.
    public var bottom: Double
    /// The distance from the right.
    public var right: Double

    /// Creates insets.
    ///
    /// - Parameters:
    ///   - top: The distance from the top.
    ///   - left: The distance from the left.
    ///   - bottom: The distance from the bottom.
    ///   - right: The distance from the right.
    public init(top: Double, left: Double, bottom: Double, right: Double) {
      self.top = top
      self.left = left
      self.bottom = bottom
      self.right = right
    }
  }
}
