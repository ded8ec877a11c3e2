import ArchiveReader

/// Every node of a property list, read once; in a binary one, whether the top node leads to it or
/// not.
package struct PropertyListWalk {
  /// The error that ended the reading, if there was one.
  package private(set) var error: ArchiveError?
  /// How many nodes were read.
  package private(set) var nodes = 0
  /// How many references stand in the containers.
  package private(set) var references = 0

  /// Whether each node is reached on one way only, as in an XML list.
  private var isTree = false
  /// The nodes of a tree that are still to be read.
  private var open: [Node] = []

  /// Reads a list.
  package init(_ bytes: some Collection<UInt8>, limits: ReadingLimits = .standard) {
    do throws(ArchiveError) {
      let list = try PropertyList(bytes: bytes, limits: limits)
      switch list.format {
      case .binary:
        for index in 0..<list.table.count { read(Node(index: index), of: list.table) }
      case .xml, .nib, .typedstream:
        isTree = true
        open = [list.top]
        while let node = open.popLast() { read(node, of: list.table) }
      }
    } catch {
      self.error = error
    }
  }

  private mutating func read(_ node: Node, of table: NodeTable) {
    nodes += 1
    switch table.value(of: node) {
    case .text(let text): _ = table.string(text)
    case .data(let range): _ = table.bytes(range).reduce(0, &+)
    case .wideInteger(let offset): _ = table.wideInteger(at: offset)
    case .array(let run), .set(let run): read(run, of: table)
    case .dictionary(let keys, let values):
      read(keys, of: table)
      read(values, of: table)
    default: break
    }
  }

  private mutating func read(_ run: Node.Run, of table: NodeTable) {
    for position in 0..<run.count {
      // A reference leads to a node of the table; its marker can be read.
      _ = table.uid(of: table[run, position])
      references += 1
      if isTree { open.append(table[run, position]) }
    }
  }
}
