internal import CXML
import Foundation

/// Receives the elements of an XML property list and builds the node table.
///
/// Open containers stand on a stack of its own, so nesting costs no stack of the program.
struct XMLPropertyListReceiver {
  private struct Container {
    var isDictionary: Bool
    /// Where its children start in `children`: elements, or keys and values in turn.
    var start: Int
    var hasOpenKey = false
  }

  private let limits: ReadingLimits
  private let characters: XMLForbiddenCharacters
  private var builder: NodeTableBuilder
  private var containers: [Container] = []
  private var children: [UInt32] = []
  private var top: UInt32?
  private var hasPropertyListElement = false
  private var leaf: cxml_element?
  private var text: [UInt8] = []
  /// The last integer that was read, which may turn out to be a UID.
  private var lastInteger: (node: UInt32, value: Int64)?
  private var uidKey: UInt32?

  private let isSalvaging: Bool
  /// Where damaged texts are not to end the parsing: the nodes that are null instead, and why.
  private(set) var damagedNodes: [Int: ArchiveError] = [:]

  init(limits: ReadingLimits, characters: XMLForbiddenCharacters, isSalvaging: Bool) {
    self.limits = limits
    builder = NodeTableBuilder(limits: limits)
    self.characters = characters
    self.isSalvaging = isSalvaging
  }

  /// The table and the top node, after the document has ended.
  func result() throws(ArchiveError) -> (NodeTableBuilder, Node) {
    guard let top else { throw ArchiveError(.noValue) }
    return (builder, Node(index: Int(top)))
  }

  /// Ends all that is open, where the rest of the document cannot be read: what is not complete is
  /// left out.
  ///
  /// A dictionary of which nothing was read could have been a UID: it becomes null.
  ///
  /// - Parameter cause: Why the rest cannot be read.
  /// - Throws: `ArchiveError` if a limit is exceeded.
  mutating func endAbruptly(_ cause: ArchiveError) throws(ArchiveError) {
    leaf = nil
    while let last = containers.last {
      if last.hasOpenKey {
        children.removeLast()
        containers[containers.count - 1].hasOpenKey = false
      }
      guard !last.isDictionary || children.count > last.start else {
        containers.removeLast()
        try placeNull(cause)
        continue
      }
      try end(last.isDictionary ? cxml_element_dict : cxml_element_array)
    }
  }

  // MARK: Events

  mutating func start(_ element: cxml_element) throws(ArchiveError) {
    guard leaf == nil else { throw ArchiveError(.unexpectedElement, name: Self.name(element)) }
    switch element {
    case cxml_element_plist:
      guard containers.isEmpty, top == nil else { throw unexpected(element) }
    case cxml_element_dict, cxml_element_array:
      try checkPlace(for: element)
      guard containers.count < limits.depth else { throw limits.exceeded(.depth) }
      containers.append(
        Container(isDictionary: element == cxml_element_dict, start: children.count))
    case cxml_element_key:
      guard let last = containers.indices.last, containers[last].isDictionary else {
        throw unexpected(element)
      }
      guard !containers[last].hasOpenKey else { throw ArchiveError(.missingValue) }
      leaf = element
    case cxml_element_unknown:
      guard hasPropertyListElement else {
        throw ArchiveError(.notAnArchive, name: "XML of another kind")
      }
      throw unexpected(element)
    default:
      try checkPlace(for: element)
      leaf = element
    }
    hasPropertyListElement = true
    text.removeAll(keepingCapacity: true)
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    if leaf != nil {
      // A text goes through memory whole: base64 is longer than the data that it stands for.
      guard text.count + bytes.count <= limits.xmlBytes else { throw limits.exceeded(.xmlBytes) }
      text.append(contentsOf: bytes)
    } else if !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }) {
      throw ArchiveError(.unexpectedText)
    }
  }

  mutating func end(_ element: cxml_element) throws(ArchiveError) {
    switch element {
    case cxml_element_plist:
      return
    case cxml_element_dict:
      try place(try endDictionary())
    case cxml_element_array:
      guard let container = containers.popLast() else { throw unexpected(element) }
      let node = try builder.add(array: children[container.start...])
      children.removeSubrange(container.start...)
      try place(node)
    case cxml_element_key:
      leaf = nil
      characters.restore(&text)
      let node = try builder.add(key: text)
      if uidKey == nil, text.elementsEqual("CF$UID".utf8) { uidKey = node }
      children.append(node)
      if let last = containers.indices.last { containers[last].hasOpenKey = true }
    default:
      leaf = nil
      do throws(ArchiveError) {
        try place(try endLeaf(element))
      } catch {
        guard isSalvaging, [.badNumber, .badDate, .badData].contains(error.code) else {
          throw error
        }
        try placeNull(error)
      }
    }
  }

  /// Puts null where something cannot be read.
  private mutating func placeNull(_ cause: ArchiveError) throws(ArchiveError) {
    let node = try builder.addNull()
    damagedNodes[Int(node)] = cause
    try place(node)
  }

  // MARK: Containers

  private func checkPlace(for element: cxml_element) throws(ArchiveError) {
    if let container = containers.last {
      guard !container.isDictionary || container.hasOpenKey else { throw unexpected(element) }
    } else if top != nil {
      throw unexpected(element)
    }
  }

  private mutating func place(_ node: UInt32) throws(ArchiveError) {
    if let last = containers.indices.last {
      children.append(node)
      containers[last].hasOpenKey = false
    } else {
      top = node
    }
  }

  private mutating func endDictionary() throws(ArchiveError) -> UInt32 {
    guard let container = containers.popLast() else { throw unexpected(cxml_element_dict) }
    guard !container.hasOpenKey else { throw ArchiveError(.missingValue) }
    // No slice may be held here: the children would be copied when they are removed.
    let start = container.start
    let node: UInt32
    if children.count == start + 2, let uidKey, children[start] == uidKey, let lastInteger,
      children[start + 1] == lastInteger.node, let uid = UInt32(exactly: lastInteger.value)
    {
      // In XML, a UID is a dictionary with the one key CF$UID.
      builder.removeLast(lastInteger.node)
      self.lastInteger = nil
      node = try builder.add(uid: uid)
    } else {
      node = try builder.add(dictionary: children[start...])
    }
    children.removeSubrange(start...)
    return node
  }

  // MARK: Leaves

  private mutating func endLeaf(_ element: cxml_element) throws(ArchiveError) -> UInt32 {
    switch element {
    case cxml_element_string:
      characters.restore(&text)
      return try builder.add(text: text)
    case cxml_element_true, cxml_element_false:
      guard text.allSatisfy({ $0 <= 0x20 }) else { throw ArchiveError(.unexpectedText) }
      return try builder.add(element == cxml_element_true)
    case cxml_element_integer:
      let value = try XMLPropertyListNumber.integer(text)
      guard let small = Int64(exactly: value) else { return try builder.add(wide: value) }
      let node = try builder.add(small)
      lastInteger = (node, small)
      return node
    case cxml_element_real:
      return try builder.add(try XMLPropertyListNumber.real(text))
    case cxml_element_date:
      return try builder.add(date: try XMLPropertyListNumber.date(text))
    case cxml_element_data:
      text.removeAll { $0 <= 0x20 }
      guard let data = Data(base64Encoded: Data(text)) else { throw ArchiveError(.badData) }
      return try builder.add(data: data)
    default:
      throw unexpected(element)
    }
  }

  private func unexpected(_ element: cxml_element) -> ArchiveError {
    ArchiveError(.unexpectedElement, name: Self.name(element))
  }

  private static func name(_ element: cxml_element) -> String {
    switch element {
    case cxml_element_plist: "plist"
    case cxml_element_dict: "dict"
    case cxml_element_array: "array"
    case cxml_element_key: "key"
    case cxml_element_string: "string"
    case cxml_element_data: "data"
    case cxml_element_date: "date"
    case cxml_element_integer: "integer"
    case cxml_element_real: "real"
    case cxml_element_true: "true"
    case cxml_element_false: "false"
    default: "…"
    }
  }
}

/// A receiver where the parser's callbacks find it.
///
/// Each event is one access to the receiver, a value, so that access need not be checked for each
/// of its parts.
final class XMLPropertyListReceiverBox {
  private(set) var receiver: XMLPropertyListReceiver
  private(set) var error: ArchiveError?

  init(_ receiver: XMLPropertyListReceiver) {
    self.receiver = receiver
  }

  /// Ends what the document left open.
  func endAbruptly(_ cause: ArchiveError) throws(ArchiveError) {
    try receiver.endAbruptly(cause)
  }

  /// Passes an event of the parser on; returns what the parser is told: 0 to go on.
  static func pass(
    to context: UnsafeMutableRawPointer?,
    _ event: (inout XMLPropertyListReceiver) throws(ArchiveError) -> Void
  ) -> Int32 {
    guard let context else { return 1 }
    let box = Unmanaged<XMLPropertyListReceiverBox>.fromOpaque(context).takeUnretainedValue()
    do throws(ArchiveError) {
      try event(&box.receiver)
      return 0
    } catch {
      box.error = error
      return 1
    }
  }
}
