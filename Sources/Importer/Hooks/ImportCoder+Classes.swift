import ArchiveReader
import Foundation

// What is decoded by the kind that its encoder writes: objects of some classes, bytes, geometry.
extension ImportCoder {
  /// A value of one of some classes or their subclasses, as are its elements; `.null` for nil and
  /// where there is no such key.
  ///
  /// The names are as archived, or as one would write them in Swift. Mutable variants of
  /// Foundation's classes are the same.
  public func decodeObject(ofClasses classes: [String], forKey key: String) throws -> ImportValue {
    try attempt(.null) {
      guard let field = try field(key) else { return .null }
      try checkPlace(field)
      var answers: [ClassID: Bool] = [:]
      try check(
        field.value, Set(classes.map(ArchivedName.text)), &answers, field.place, depth: depth)
      return try value(of: field)
    }
  }

  /// A value that a property list can hold: text, a number, bytes, a date, arrays and dictionaries.
  public func decodePropertyList(forKey key: String) throws -> ImportValue {
    try decodeObject(
      ofClasses: ["NSString", "NSNumber", "NSData", "NSDate", "NSArray", "NSDictionary"],
      forKey: key)
  }

  /// Bytes that stand in the object itself, as `encodeBytes` writes them; nil for nil and where there
  /// is no such key.
  public func decodeBytes(forKey key: String) throws -> Data? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      if isStrict, field.isReference { throw wrongKind(field, expected: "bytes") }
      switch try session.importValue(of: field.value, depth: depth) {
      case .null: return nil
      case .data(let data): return data
      case let other: throw wrongKind(key, found: other.kind, expected: "bytes")
      }
    }
  }

  /// A point, which is archived as a text: "{x, y}".
  public func decodePoint(forKey key: String) throws -> CGPoint {
    try attempt(.zero) { try point(key) }
  }

  /// A size, which is archived as a text: "{width, height}".
  public func decodeSize(forKey key: String) throws -> CGSize {
    try attempt(.zero) { try size(key) }
  }

  /// A rectangle, which is archived as a text: "{{x, y}, {width, height}}".
  public func decodeRect(forKey key: String) throws -> CGRect {
    try attempt(.zero) { try rect(key) }
  }

  // MARK: Classes

  /// Refuses a value whose class is none of some, or that holds one.
  ///
  /// The answers are what was found out of each class: a collection may hold many objects of it.
  private func check(
    _ value: GraphValue, _ names: Set<String>, _ answers: inout [ClassID: Bool],
    _ location: ArchiveError.Position, depth: Int
  ) throws {
    func allows(_ known: KnownClass) -> Bool { names.contains(where: known.isKind(ofClassNamed:)) }
    switch value {
    case .object(_, let id), .foundation(_, let id):
      let record = graph.classes[id.index]
      let isAllowed =
        answers[id]
        ?? (([record.name] + record.hierarchy).contains { name in
          names.contains(name) || names.contains(SwiftName.readable(name))
        } || record.known.map(allows) ?? false)
      answers[id] = isAllowed
      guard isAllowed else {
        throw ArchiveError(.classNotAllowed, at: location, name: record.name)
      }
      return
    default: break
    }
    guard let known = value.knownClass else { return }
    guard allows(known) else {
      throw ArchiveError(.classNotAllowed, at: location, name: known.className)
    }
    guard case .collection(let id, let kind) = value else { return }
    guard depth < ArchiveImporter.maxDepth else {
      throw ArchiveError(.tooDeep, at: location, name: "\(ArchiveImporter.maxDepth)")
    }
    let elements = try session.spentElements(id, kind, depth, location)
    for position in 0..<elements.count {
      if kind.isKeyed {
        let key = try graph.key(of: elements, at: position)
        try check(key, names, &answers, location, depth: depth + 1)
      }
      let element = try graph.value(of: elements, at: position)
      try check(element, names, &answers, location, depth: depth + 1)
    }
  }
}
