import DataModel

/// A rule that was made ready.
package protocol ConversionStep: Sendable {
  /// Converts a value that is not nil.
  func convert(_ value: ImportValue) throws(ConversionFailure) -> ConvertedValue

  /// The type of attribute that holds what the step makes.
  ///
  /// - Parameter type: The type of an attribute that holds the values before.
  /// - Returns: The type.
  func resultType(from type: AttributeType) -> AttributeType

  /// True if nil is converted too.
  var convertsNull: Bool { get }
}

extension ConversionStep {
  var convertsNull: Bool { false }
}
