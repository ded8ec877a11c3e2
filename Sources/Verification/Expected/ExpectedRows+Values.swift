import ArchiveReader
import DataModel
import Foundation
import Importer
import Mappings

/// Values as conversions and expressions take them.
extension ExpectedRows {
  /// A plain value; nothing for objects and collections.
  func plainValue(of value: GraphValue) -> ImportValue {
    switch value {
    case .null, .nsNull, .object, .collection: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .wideInteger(let wide):
      let text = String(wide.value)
      return ImportValue(decimalText: text) ?? .text(text)
    case .real(let value): return .real(value)
    case .date(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .text(let text): return .text(text.string)
    case .data(let bytes): return .data(bytes.data)
    case .uuid(let bytes):
      return UUID(bytes).map { .uuid($0) } ?? .null
    case .decimal(let decimal): return ImportValue(decimalText: decimal.text) ?? .real(.nan)
    case .url(let text): return .url(text.string)
    case .relativeURL(let uid): return graph.urlText(uid).map { .url($0) } ?? .null
    case .foundation(let uid, _):
      return (try? graph.foundationValue(uid)).flatMap { $0 }.map { .foundation($0) } ?? .null
    case .className(let id): return .text(ArchivedName.plain(graph.classes[id.index].name))
    }
  }

  /// Any value with its elements; objects are rows, or the values that stand for them.
  ///
  /// Expressions look into objects without making rows of them: they get handles.
  func importValue(
    of value: GraphValue, depth: Int = 0, objects: ObjectForm = .row
  ) throws -> ImportValue {
    func inner(_ value: GraphValue) throws -> ImportValue {
      try importValue(of: value, depth: depth + 1, objects: objects)
    }
    switch value {
    case .object(let uid, let id):
      guard case .value(let key) = classPlan(of: id) else {
        switch objects {
        case .row: return try row(of: uid, id).map { .row($0) } ?? .null
        case .handle: return ObjectHandle.value(uid)
        case .dictionary(let outer): return try dictionary(of: uid, inside: outer, depth: depth)
        }
      }
      guard depth < Self.maxDepth else {
        throw ArchiveError(.tooDeep, name: "\(Self.maxDepth)")
      }
      let object = try graph.object(uid)
      guard let position = graph.position(of: key, in: object) else { return .null }
      ledger.reach(uid)
      return try importValue(of: try graph.value(of: object, at: position), depth: depth + 1)
    case .collection(let id, let kind):
      guard depth < Self.maxDepth else {
        throw ArchiveError(.tooDeep, name: "\(Self.maxDepth)")
      }
      let elements = try graph.elements(of: id, kind)
      var values: [ImportValue] = []
      var pairs: [ImportValue.Pair] = []
      for position in 0..<elements.count {
        if kind.isKeyed {
          let key = try inner(try graph.key(of: elements, at: position))
          pairs.append(.init(key, try inner(try graph.value(of: elements, at: position))))
        } else {
          values.append(try inner(try graph.value(of: elements, at: position)))
        }
      }
      return kind.isKeyed ? .dictionary(pairs) : kind == .set ? .set(values) : .list(values)
    default:
      return plainValue(of: value)
    }
  }

  /// An object with all that it holds.
  private func dictionary(
    of uid: Int, inside outer: [Int], depth: Int
  ) throws -> ImportValue {
    if let known = ObjectHandle.value(of: uid, inside: outer) { return known }
    guard depth < Self.maxDepth else {
      throw ArchiveError(.tooDeep, name: "\(Self.maxDepth)")
    }
    let object = try graph.object(uid)
    let keys = graph.keys(ofShape: object.shape)
    let name = ArchivedName.plain(graph.classes[object.class.index].name)
    return .dictionary(
      [.init(.text(ObjectHandle.classKey), .text(name))]
        + (try keys.indices.filter { keys[$0] != ObjectHandle.classKey }.map { position in
          .init(
            .text(ArchivedKey.plain(keys[position])),
            try importValue(
              of: try graph.value(of: object, at: position), depth: depth + 1,
              objects: .dictionary(inside: outer + [uid])))
        }))
  }

  /// The value itself or, for an object of a value class, the value under its key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - reaches: True if the objects on the way are noted; not once the archive has been walked.
  /// - Returns: The value.
  /// - Throws: `ArchiveError` if such objects hold one another too deep.
  func unwrapped(_ value: GraphValue, reaches: Bool = true) throws -> GraphValue {
    guard pass.hasValueClasses else { return value }
    var value = value
    for _ in 0..<Self.maxDepth {
      guard case .object(let uid, let id) = value, case .value(let key) = classPlan(of: id) else {
        return value
      }
      if reaches { ledger.reach(uid) }
      let object = try graph.object(uid)
      guard let position = graph.position(of: key, in: object) else { return .null }
      value = try graph.value(of: object, at: position)
    }
    throw ArchiveError(.tooDeep, name: "\(Self.maxDepth)")
  }

  /// The value under a key path of an object.
  func value(
    forKeyPath path: ArraySlice<String>, of object: GraphObject, _ objects: ObjectForm = .row
  ) throws -> ImportValue {
    guard let key = path.first, let position = graph.position(of: key, in: object) else {
      return .null
    }
    return try value(
      forKeyPath: path.dropFirst(), of: try graph.value(of: object, at: position), objects)
  }

  private func value(
    forKeyPath path: ArraySlice<String>, of value: GraphValue, _ objects: ObjectForm
  ) throws -> ImportValue {
    guard let key = path.first else { return try importValue(of: value, objects: objects) }
    switch value {
    case .object(let uid, _):
      return try self.value(forKeyPath: path, of: try graph.object(uid), objects)
    case .collection(let id, .dictionary):
      let elements = try graph.elements(of: id, .dictionary)
      for position in 0..<elements.count
      where plainValue(of: try graph.key(of: elements, at: position)) == .text(key) {
        return try self.value(
          forKeyPath: path.dropFirst(), of: try graph.value(of: elements, at: position), objects)
      }
      return .null
    case .collection(let id, let kind):
      let elements = try graph.elements(of: id, kind)
      var values: [ImportValue] = []
      for position in 0..<elements.count {
        values.append(
          try self.value(
            forKeyPath: path, of: try graph.value(of: elements, at: position), objects))
      }
      return .list(values)
    default:
      return .null
    }
  }

  /// The value with rows in the place of handles.
  func rows(for value: ImportValue) throws -> ImportValue {
    try ObjectHandle.replace(in: value) { uid in
      try importValue(of: try graph.value(ofObject: uid))
    }
  }
}

extension ExpectedRows {
  /// An archived object as expressions see it.
  struct Scope: ObjectExpressionScope {
    private let expectedRows: ExpectedRows
    let object: GraphObject

    init(_ expectedRows: ExpectedRows, _ object: GraphObject) {
      self.expectedRows = expectedRows
      self.object = object
    }

    var graph: any ObjectGraph { expectedRows.graph }

    /// Not the time that the run had: whoever asks has a value that cannot be compared.
    var now: Date {
      expectedRows.askedForTime = true
      return Date.now
    }

    func call(
      _ selector: String, on variable: String, _ arguments: [ImportValue]
    ) throws(ExpressionFailure) -> ImportValue {
      guard variable == "manager", arguments.count == 2, case .text(let name) = arguments[0],
        selector == "destinationInstancesForEntityMappingNamed:sourceInstances:"
      else { throw ExpressionFailure(.unknownFunction, name: selector) }
      var rows: [ImportValue] = []
      for uid in ObjectHandle.uids(in: arguments[1]) {
        guard case .object(_, let id)? = try? expectedRows.graph.value(ofObject: uid),
          let row = try? expectedRows.row(of: uid, id, mapping: name)
        else { continue }
        rows.append(.row(row))
      }
      return .list(rows)
    }

    func valueWithHandles(of value: GraphValue) throws -> ImportValue {
      try expectedRows.importValue(of: value, objects: .handle)
    }
  }
}
