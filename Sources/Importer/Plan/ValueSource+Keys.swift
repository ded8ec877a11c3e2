extension ValueSource {
  /// The key path, if it is one.
  package var keyPath: [String]? {
    if case .keyPath(let path) = self { path } else { nil }
  }

  /// The key, if it is a single one.
  var key: String? {
    keyPath.flatMap { $0.count == 1 ? $0[0] : nil }
  }

  /// The key whose value it is; nil if it is something else, or made of it.
  var wholeKey: String? {
    switch self {
    case .keyPath: key
    case .constant: nil
    case .expression(let expression): expression.key
    }
  }

  /// The keys of the archived object that it reads.
  var keys: [String] {
    switch self {
    case .keyPath(let path): path.first.map { [$0] } ?? []
    case .constant: []
    case .expression(let expression): expression.keyPaths.compactMap(\.first)
    }
  }
}
