extension PropertyList {
  /// Puts the elements of an XML property list together into a node table.
  ///
  /// Open containers stand on a stack of its own, so nesting costs no stack of the program.
  struct Assembler: ~Copyable {
    /// The result of reading: the memory and the table over it, the top node, and the number of
    /// control characters in the file that XML 1.0 forbids.
    struct Result {
      var storage: ByteStorage
      var table: NodeTable
      var top: Node
      var controlCharacters: Int
      /// True if the table refers to texts in the file.
      var readsFile = false
      /// Why the rest of a document was not read, where what stands before it was asked for.
      var losses: [ArchiveError] = []
      /// The nodes that are null since their text is damaged, and why.
      var damagedNodes: [Int: ArchiveError] = [:]
    }

    private struct Container {
      var isDictionary: Bool
      /// The start of its children in `children`: elements, or keys and values in turn.
      var start: Int
      var hasOpenKey = false
    }

    let limits: ReadingLimits
    private(set) var top: UInt32?
    private var builder: NodeTable.Builder
    private var containers: [Container] = []
    private var children: [UInt32] = []
    /// The last integer that was read, which may turn out to be a UID.
    private var lastInteger: (node: UInt32, value: Int64)?
    private var uidKey: UInt32?

    /// Begins a list.
    ///
    /// - Parameter limits: The limits of the reader.
    /// - Throws: `ArchiveError` if there is no memory.
    init(limits: ReadingLimits) throws(ArchiveError) {
      self.limits = limits
      builder = try NodeTable.Builder(limits: limits)
    }

    // MARK: Places

    /// The number of open containers.
    var depth: Int { containers.count }

    /// True if no container is open.
    var isAtTop: Bool { containers.isEmpty }

    /// True if a value may follow.
    var takesValue: Bool {
      guard let container = containers.last else { return top == nil }
      return !container.isDictionary || container.hasOpenKey
    }

    /// True if the limit of depth allows another container.
    var takesLevel: Bool { containers.count < limits.depth }

    /// True if the open container is a dictionary; nil if there is none.
    var isInDictionary: Bool? { containers.last?.isDictionary }

    /// True if the open container is a dictionary that has a key without a value.
    var hasOpenKey: Bool { containers.last?.hasOpenKey ?? false }

    // MARK: Containers

    /// Begins a dictionary or an array, where a value may follow.
    mutating func begin(isDictionary: Bool) throws(ArchiveError) {
      guard takesLevel else { throw limits.exceeded(.depth) }
      containers.append(Container(isDictionary: isDictionary, start: children.count))
    }

    /// Adds a key to the dictionary that is open.
    mutating func add(key: BorrowedBytes) throws(ArchiveError) {
      let node = try builder.add(key: key)
      if uidKey == nil, unsafe key.buffer.elementsEqual(NodeTable.Marker.uidKeyText) {
        uidKey = node
      }
      children.append(node)
      if let last = containers.indices.last { containers[last].hasOpenKey = true }
    }

    /// Ends the container that is open.
    mutating func end() throws(ArchiveError) {
      guard let container = containers.popLast() else { throw ArchiveError(.unexpectedElement) }
      guard !container.hasOpenKey else { throw ArchiveError(.missingValue) }
      // No slice may be held here: the children would be copied when they are removed.
      let node =
        container.isDictionary
        ? try endDictionary(container.start) : try builder.add(array: children[container.start...])
      children.removeSubrange(container.start...)
      place(node)
    }

    private mutating func endDictionary(_ start: Int) throws(ArchiveError) -> UInt32 {
      guard children.count == start + 2, let uidKey, children[start] == uidKey, let lastInteger,
        children[start + 1] == lastInteger.node, let uid = UInt32(exactly: lastInteger.value)
      else { return try builder.add(dictionary: children[start...]) }
      // In XML, a UID is a dictionary with the one key CF$UID.
      builder.removeLast(lastInteger.node)
      self.lastInteger = nil
      return try builder.add(uid: uid)
    }

    private mutating func place(_ node: UInt32) {
      if let last = containers.indices.last {
        children.append(node)
        containers[last].hasOpenKey = false
      } else {
        top = node
      }
    }

    // MARK: Values

    mutating func add(_ value: Bool) throws(ArchiveError) { place(try builder.add(value)) }

    mutating func add(_ value: Int64) throws(ArchiveError) {
      let node = try builder.add(value)
      lastInteger = (node, value)
      place(node)
    }

    mutating func add(wide value: Int128) throws(ArchiveError) {
      if let small = Int64(exactly: value) { return try add(small) }
      place(try builder.add(wide: value))
    }

    mutating func add(_ value: Double) throws(ArchiveError) { place(try builder.add(value)) }

    mutating func add(date seconds: Double) throws(ArchiveError) {
      place(try builder.add(date: seconds))
    }

    /// Adds a UID: a dictionary of the one key CF$UID.
    mutating func add(uid: UInt32) throws(ArchiveError) {
      if uidKey == nil {
        uidKey = try NodeTable.Marker.uidKeyText.withBorrowedBytes { (key) throws(ArchiveError) in
          try builder.add(key: key)
        }
      }
      place(try builder.add(uid: uid))
    }

    mutating func add(text: BorrowedBytes) throws(ArchiveError) {
      place(try builder.add(text: text))
    }

    mutating func add(
      text: BorrowedBytes, inFileAt offset: Int
    ) throws(ArchiveError) {
      place(try builder.add(text: text, inFileAt: offset))
    }

    mutating func add(
      dataOf size: Int, _ write: (inout OutputSpan<UInt8>) -> Void
    ) throws(ArchiveError) {
      place(try builder.add(dataOf: size, write))
    }

    // MARK: Results

    /// Adds null where something cannot be read; returns the number of its node.
    mutating func addNull() throws(ArchiveError) -> Int {
      let node = try builder.addNull()
      place(node)
      return Int(node)
    }

    /// Ends all that is open, where the rest of the document cannot be read: what is not complete
    /// is left out.
    ///
    /// A dictionary of which nothing was read could have been a UID: it becomes null.
    ///
    /// - Returns: The nodes that are null.
    /// - Throws: `ArchiveError` if a limit is exceeded.
    mutating func endAbruptly() throws(ArchiveError) -> [Int] {
      var lost: [Int] = []
      while let last = containers.last {
        if last.hasOpenKey {
          children.removeLast()
          containers[containers.count - 1].hasOpenKey = false
        }
        guard !last.isDictionary || children.count > last.start else {
          containers.removeLast()
          lost.append(try addNull())
          continue
        }
        try end()
      }
      return lost
    }

    /// The table, after the document has ended: its storage, the table, the top node.
    mutating func finish(
      _ file: BorrowedBytes
    ) throws(ArchiveError) -> (storage: ByteStorage, table: NodeTable, top: Node) {
      guard let top else { throw ArchiveError(.noValue) }
      let (storage, table) = try builder.finish(file)
      return (storage, table, Node(index: Int(top)))
    }
  }
}
