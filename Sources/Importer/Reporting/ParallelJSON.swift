import Foundation
import Synchronization

/// Writes long lists in JSON on several threads, without white space, keys in order.
enum ParallelJSON {
  /// How many elements a thread writes at a time.
  private static let partSize = 512

  /// Writes a value, on one thread.
  ///
  /// - Parameter value: What is written.
  /// - Returns: The text.
  /// - Throws: `EncodingError` if JSON has no form for it.
  static func encoded(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  /// Writes a list.
  ///
  /// - Parameter list: What is written.
  /// - Returns: The text.
  /// - Throws: `EncodingError` if JSON has no form for an element.
  static func encoded<Element: Encodable & Sendable>(list: [Element]) throws -> Data {
    guard list.count > partSize else { return try encoded(list) }
    let starts = Array(stride(from: 0, to: list.count, by: partSize))
    let parts = Mutex<[Result<Data, any Error>?]>(Array(repeating: nil, count: starts.count))
    DispatchQueue.concurrentPerform(iterations: starts.count) { number in
      let start = starts[number]
      let part = Result { try encoded(Array(list[start..<min(list.count, start + partSize)])) }
      parts.withLock { $0[number] = part }
    }
    let found = try parts.withLock { try $0.compactMap { try $0?.get() } }
    var text = Data(capacity: found.reduce(1) { $0 + $1.count })
    // The brackets around each are left out.
    for part in found {
      text.append(UInt8(ascii: text.isEmpty ? "[" : ","))
      text.append(part.dropFirst().dropLast())
    }
    text.append(UInt8(ascii: "]"))
    return text
  }
}
