import ArchiveReader
import DataModel

/// A step that can write what the store keeps of usual values without a detour by `ImportValue`.
///
/// Whatever it writes is what `convert` gives, and it has a loss where that has one.
package protocol TextWritingStep: ConversionStep {
  /// The type of the values that it writes.
  var writtenType: AttributeType { get }

  /// Writes the text of a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - span: The destination of the text, with room for `WrittenText.maxBytes`.
  /// - Returns: Nil for a value that is not a usual one: `convert` has to be used.
  func write(_ value: GraphValue, into span: inout OutputSpan<UInt8>) -> WrittenText?
}

/// The result of writing a text.
package struct WrittenText: Equatable {
  /// Why the value cannot be got back from it; nil if it can.
  package var loss: ConvertedValue.Loss?

  /// The greatest size of a text, in bytes.
  package static let maxBytes = 64
}
