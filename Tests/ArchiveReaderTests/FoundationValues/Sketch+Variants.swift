import ArchiveWriter

extension Sketch {
  /// The same object with nil under a key that no class has.
  var withUnknownNil: Sketch { with("NSNoSuchKey", .none) }

  /// The same object with a text under a key that no class has.
  var withUnknownText: Sketch { with("NSNoSuchKey", "text") }

  private func with(_ key: String, _ value: Sketch) -> Sketch {
    switch self {
    case .object(let name, let pairs, let unkeyed):
      .pairs(name, pairs.map { ($0.key, $0.value) } + [(key, value)], unkeyed: unkeyed)
    default: self
    }
  }

  /// The same object with texts, data and numbers in objects of their own.
  var wrapped: Sketch {
    switch self {
    case .object(let name, let pairs, let unkeyed):
      .pairs(
        name, pairs.map { ($0.key, $0.value.wrappedPart) }, unkeyed: unkeyed.map(\.wrappedPart))
    default: self
    }
  }

  private var wrappedPart: Sketch {
    switch self {
    case .entry(.string), .inline(.string): .object("NSMutableString", ["NS.string": self])
    case .entry(.data), .inline(.data): .object("NSMutableData", ["NS.data": self])
    case .inline(.integer), .inline(.real), .inline(.bool), .entry(.integer):
      .object("NSNumber", ["NS.number": self])
    case .array(let elements): .array(elements.map(\.wrappedPart))
    default: wrapped
    }
  }

  /// An object whose keys are counted at run time.
  private static func pairs(
    _ name: String, _ pairs: [(String, Sketch)], unkeyed: [Sketch]
  ) -> Sketch {
    .made { builder in
      let slot = builder.reserve()
      let content = pairs.map { KeyValue($0.0, $0.1.add(to: &builder)) }
      let values = unkeyed.map { $0.add(to: &builder) }
      return builder.fill(slot, className: name, content, unkeyed: values)
    }
  }
}
