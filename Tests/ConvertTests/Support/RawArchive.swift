import ArchiveWriter
import Foundation

/// Builds an archive node by node, where nodes may be shared, circular or torn.
struct RawArchive {
  /// The place of a node in the property list.
  typealias Node = UInt32

  private(set) var table = BinaryPropertyListWriter.ObjectTable()
  /// The entries of `$objects`.
  private var objects: [Node] = []
  private var classRecords: [String: Node] = [:]
  private var strings: [String: Node] = [:]

  init() {
    _ = addObject(string("$null"))
  }

  /// Adds a node.
  mutating func node(_ object: BinaryPropertyListWriter.ObjectTable.Object) -> Node {
    Node(table.add(object))
  }

  /// The node of a string, the same for equal ones.
  mutating func string(_ text: String) -> Node {
    if let known = strings[text] { return known }
    let added = node(.value(.string(text)))
    strings[text] = added
    return added
  }

  /// Adds a node to `$objects`; returns the node of a reference to it.
  mutating func addObject(_ node: Node) -> Node {
    objects.append(node)
    return self.node(.value(.uid(UInt32(objects.count - 1))))
  }

  /// Adds the node of an instance, which is in `$objects` only when it is added there.
  mutating func instance(
    of className: String, _ pairs: KeyValuePairs<String, Node>
  ) -> Node {
    let record = classRecord(className)
    let keys = pairs.map { string($0.key) } + [string("$class")]
    return node(.dictionary(keys: keys, values: pairs.map(\.value) + [record]))
  }

  private mutating func classRecord(_ className: String) -> Node {
    if let known = classRecords[className] { return known }
    let name = string(className)
    let classes = node(.array([name]))
    let record = node(
      .dictionary(keys: [string("$classname"), string("$classes")], values: [name, classes]))
    let reference = addObject(record)
    classRecords[className] = reference
    return reference
  }

  /// The archive, with a reference at the top-level key `root`.
  mutating func data(root: Node) -> Data {
    let top = node(.dictionary(keys: [string("root")], values: [root]))
    let keys = ["$version", "$archiver", "$top", "$objects"].map { string($0) }
    let values = [
      node(.value(100_000)), string("NSKeyedArchiver"), top, node(.array(objects)),
    ]
    let frame = node(.dictionary(keys: keys, values: values))
    return table.data(top: Int(frame))
  }
}
