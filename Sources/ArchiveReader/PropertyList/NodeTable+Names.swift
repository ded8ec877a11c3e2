import GraphCore

extension NodeTable {
  /// The name that a node holds, or nil if it holds something else.
  package func name(at node: Node) -> String? { string(at: node).map(ArchivedName.text) }
}
