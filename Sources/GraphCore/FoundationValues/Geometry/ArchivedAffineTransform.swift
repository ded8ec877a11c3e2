import Foundation

/// The six numbers of an affine transform: a CGAffineTransform.
public struct ArchivedTransform: Sendable, Hashable, Encodable {
  /// The first number of the first row.
  public var a: Double
  /// The second number of the first row.
  public var b: Double
  /// The first number of the second row.
  public var c: Double
  /// The second number of the second row.
  public var d: Double
  /// The translation from left to right.
  public var tx: Double
  /// The other translation.
  public var ty: Double

  /// Reads a transform as UIKit archives it: "[1, 0, 0, 1, 10, 20]".
  ///
  /// It is nil if the text has another form.
  ///
  /// - Parameter text: The text.
  public init?(text: String) {
    guard let numbers = GeometryText.numbers(text, like: "[#, #, #, #, #, #]") else { return nil }
    self.init(numbers)
  }

  package init?(_ numbers: [Double]) {
    guard numbers.count == 6 else { return nil }
    (a, b, c) = (numbers[0], numbers[1], numbers[2])
    (d, tx, ty) = (numbers[3], numbers[4], numbers[5])
  }
}

/// An NSAffineTransform: six floats with the highest byte first, or as swift-corelibs-foundation
/// archives it, a C array without a key.
public struct ArchivedAffineTransform: FoundationObject {
  /// The name of the class, as archived.
  public let `class`: String
  /// The numbers of the transform.
  public let transform: ArchivedTransform

  static let classNames = ["NSAffineTransform"]

  init?(_ parts: inout PartReader) {
    `class` = parts.className
    let numbers: [Double]
    if let data = parts.data("NSTransformStruct") {
      guard data.count == 24 else { return nil }
      numbers = data.bigEndianFloats
    } else {
      guard let array = parts.unkeyed().first?.foundationValue?.as(ArchivedOldStyleArray.self)
      else { return nil }
      numbers = array.elements.compactMap(\.number)
      guard numbers.count == array.elements.count else { return nil }
    }
    guard let transform = ArchivedTransform(numbers) else { return nil }
    self.transform = transform
  }
}

extension Data {
  /// The bytes as floats of four bytes, the highest first; bytes beyond the last whole one are left
  /// out.
  var bigEndianFloats: [Double] {
    let bytes = [UInt8](self)
    return stride(from: 0, to: bytes.count / 4 * 4, by: 4).map { place in
      let bits = bytes[place..<place + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      return Double(Float(bitPattern: bits))
    }
  }
}
