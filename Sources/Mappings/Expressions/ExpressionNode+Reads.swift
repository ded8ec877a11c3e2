import ArchiveReader

extension ExpressionNode {
  /// The key paths that an expression reads and the functions that it calls, found before it is
  /// evaluated.
  struct Reads {
    /// The key paths that start from the archived object, without collection operators and indexes.
    ///
    /// The object as a whole, `SELF`, is none of them. Keys are as `ArchivedName` has them.
    private(set) var keyPaths: [[String]] = []
    private(set) var functions: [FunctionUse] = []
    /// True if the value depends on the time of the evaluation.
    private(set) var asksForTime = false

    private var variables: [(name: String, path: [String]?)] = []
    private var elements: [[String]?] = []

    init(_ root: ExpressionNode) { visit(root) }

    /// Looks through a node; a base is one that a longer path starts from, which counts instead.
    private mutating func visit(_ node: ExpressionNode, isBase: Bool = false) {
      switch node {
      case .keys(let base, _):
        if !isBase { add(path(node)) }
        visit(base, isBase: true)
      case .collection(let base, _, let rest):
        visit(base, isBase: rest != nil)
        guard let rest else { break }
        elements.append(path(base))
        visit(rest)
        elements.removeLast()
      case .index(let base, let index):
        visit(base, isBase: isBase)
        if case .at(let place) = index { visit(place) }
      case .subquery(let collection, let variable, let condition):
        visit(collection)
        variables.append((variable, path(collection)))
        visit(condition)
        variables.removeLast()
      default:
        if case .function(.now, _) = node { asksForTime = true }
        if case .call(let use, _) = node, !functions.contains(use) { functions.append(use) }
        for child in node.children { visit(child) }
      }
    }

    private mutating func add(_ path: [String]?) {
      if let path, !path.isEmpty, !keyPaths.contains(path) { keyPaths.append(path) }
    }

    /// The key path that a node stands for; nil if it is none of the archived object.
    private func path(_ node: ExpressionNode) -> [String]? {
      switch node {
      case .variable(nil), .source: []
      case .bound(let name): variables.last { $0.name == name }?.path
      case .element: elements.last ?? nil
      case .keys(let base, let keys): path(base).map { $0 + keys.map(ArchivedName.text) }
      case .index(let base, .at), .index(let base, .first), .index(let base, .last): path(base)
      case .subquery(let collection, _, _): path(collection)
      default: nil
      }
    }
  }
}
