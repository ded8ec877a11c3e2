import ArchiveWriter
import Foundation

/// What Foundation's archiver makes of objects, as a property list that can be written again.
///
/// On Linux `setClassName(_:for:)` has no effect and the order of keys is that of their hashes. So
/// the archive is read back, the module is taken off the class names, and the keys are sorted.
enum FoundationArchive {
  private static let moduleOfOurClasses = "make_sample_archives."
  private static let referenceKey = "Sample.UID"

  /// Encodes objects as an array at `root`.
  static func propertyList(
    of objects: [NSObject], renaming: [String: String]
  ) throws -> PropertyListValue {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = .xml
    archiver.encode(NSArray(array: objects), forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    // Foundation would read CF$UID as objects that tell nobody their number.
    var text = String(decoding: archiver.encodedData, as: UTF8.self)
      .replacingOccurrences(of: "CF$UID", with: referenceKey)
    for (ours, archived) in renaming {
      text = text.replacingOccurrences(of: moduleOfOurClasses + ours, with: archived)
    }
    text = text.replacingOccurrences(of: moduleOfOurClasses, with: "")
    return try value(
      of: PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil))
  }

  private static func value(of object: Any) throws -> PropertyListValue {
    switch object {
    case let dictionary as [String: Any]:
      if dictionary.count == 1, let index = dictionary[referenceKey] as? UInt32 {
        return .uid(index)
      }
      return .dictionary(
        try dictionary.sorted { $0.key < $1.key }.map { KeyValue($0.key, try value(of: $0.value)) })
    case let array as [Any]: return .array(try array.map(value))
    case let text as String: return .string(text)
    case let data as Data: return .data(data)
    case let number as NSNumber:
      let isReal = number.objCType.pointee == CChar(UInt8(ascii: "d"))
      return isReal ? .real(number.doubleValue) : .integer(number.int64Value)
    default: throw CocoaError(.propertyListReadCorrupt)
    }
  }
}
