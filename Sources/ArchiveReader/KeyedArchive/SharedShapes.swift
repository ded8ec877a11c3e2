import Synchronization

extension ObjectReader {
  /// The shapes and class records that readers of several archives share, by the texts that they
  /// are made of.
  ///
  /// The archives of one program have the same keys and classes. So for most of them, these are
  /// looked up rather than made. What is kept is bounded.
  package final class SharedShapes: Sendable {
    private struct State {
      var shapes: [[UInt8]: Shape] = [:]
      var classes: [[UInt8]: Class] = [:]
      var byteCount = 0
    }

    /// A class record.
    struct Class: Sendable {
      var name: String
      var hierarchy: [String]
      var hints: [String]
      /// The known class of that name, if there is one.
      var known: KnownClass?
    }

    private let state = Mutex(State())

    private static let maxBytes = 1 << 18

    package init() {}

    /// The shape whose keys have these texts.
    func shape(_ texts: [UInt8]) -> Shape? { state.withLock { $0.shapes[texts] } }

    /// Keeps a shape, with the forms that were found.
    func keep(_ shape: Shape, _ texts: [UInt8]) {
      state.withLock { state in
        guard state.shapes[texts] != nil || Self.spend(texts.count, &state) else { return }
        state.shapes[texts] = shape
      }
    }

    /// The class record that has these texts.
    func classRecord(_ texts: [UInt8]) -> Class? { state.withLock { $0.classes[texts] } }

    /// Keeps a class record.
    func keep(_ record: Class, _ texts: [UInt8]) {
      state.withLock { state in
        guard state.classes[texts] != nil || Self.spend(texts.count, &state) else { return }
        state.classes[texts] = record
      }
    }

    private static func spend(_ count: Int, _ state: inout State) -> Bool {
      // The texts are kept as strings as well, with what each takes.
      guard state.byteCount + count + 256 <= maxBytes else { return false }
      state.byteCount += count + 256
      return true
    }
  }
}

/// Texts as bytes, so that different ones give different bytes.
extension Array<UInt8> {
  mutating func append(_ text: Text, in table: NodeTable) {
    append(count: text.bytes.count)
    if case .utf16 = text.encoding { append(1) } else { append(0) }
    unsafe append(contentsOf: table.bytes(text.bytes))
  }

  mutating func append(count: Int) {
    unsafe Swift.withUnsafeBytes(of: count) { unsafe append(contentsOf: $0) }
  }
}
