import ArchiveReader
import Foundation

/// Values as conversions and expressions take them.
extension RowForecast {
  /// A plain value; nothing for objects and collections.
  func plainValue(of value: ArchivedValue) -> ImportValue {
    switch value {
    case .null, .nsNull, .object, .collection: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .wideInteger(let offset):
      let text = String(reader.table.wideInteger(at: offset))
      return ImportValue(decimalText: text) ?? .text(text)
    case .real(let value): return .real(value)
    case .date(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .text(let text): return .text(reader.table.string(text))
    case .data(let range): return .data(Data(reader.table.bytes(range)))
    case .uuid(let range):
      return UUID(uuidString: UUIDText.text(reader.table.bytes(range))).map { .uuid($0) } ?? .null
    case .decimal(let decimal): return ImportValue(decimalText: decimal.text) ?? .real(.nan)
    case .url(let uid): return reader.urlText(uid).map { .url($0) } ?? .null
    case .foundation(let uid, _):
      return (try? reader.foundationValue(uid)).flatMap { $0 }.map { .foundation($0) } ?? .null
    case .className(let id): return .text(ArchivedName.plain(reader.classes[id.index].name))
    }
  }

  /// Any value with its elements; objects are rows, or the values that stand for them.
  ///
  /// Expressions look into objects without making rows of them: they get handles.
  func importValue(
    of value: ArchivedValue, depth: Int = 0, asHandles: Bool = false
  ) throws -> ImportValue {
    func inner(_ value: ArchivedValue) throws -> ImportValue {
      try importValue(of: value, depth: depth + 1, asHandles: asHandles)
    }
    switch value {
    case .object(let uid, let id):
      guard case .value(let key) = classPlan(of: id) else {
        if asHandles { return ObjectHandle.value(uid) }
        return try row(of: uid, id).map { .row($0) } ?? .null
      }
      guard depth < Self.mostDepth else {
        throw ArchiveError(.tooDeep, name: "\(Self.mostDepth)")
      }
      let object = try reader.object(uid)
      guard let position = reader.position(of: key, in: object) else { return .null }
      ledger.reach(uid)
      return try importValue(of: try reader.value(of: object, at: position), depth: depth + 1)
    case .collection(let id, let kind):
      guard depth < Self.mostDepth else {
        throw ArchiveError(.tooDeep, name: "\(Self.mostDepth)")
      }
      let elements = try reader.elements(of: id, kind)
      var values: [ImportValue] = []
      var pairs: [ImportValue.Pair] = []
      for position in 0..<elements.count {
        if kind.isKeyed {
          let key = try inner(try reader.key(of: elements, at: position))
          pairs.append(.init(key, try inner(try reader.value(of: elements, at: position))))
        } else {
          values.append(try inner(try reader.value(of: elements, at: position)))
        }
      }
      return kind.isKeyed ? .dictionary(pairs) : kind == .set ? .set(values) : .list(values)
    default:
      return plainValue(of: value)
    }
  }

  /// What stands for a value: where it is an object of a value class, what the key of that holds.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - reaches: Whether the objects on the way are noted; not once the archive has been walked.
  /// - Returns: The value.
  /// - Throws: `ArchiveError` if such objects hold one another too deep.
  func unwrapped(_ value: ArchivedValue, reaches: Bool = true) throws -> ArchivedValue {
    guard pass.hasValueClasses else { return value }
    var value = value
    for _ in 0..<Self.mostDepth {
      guard case .object(let uid, let id) = value, case .value(let key) = classPlan(of: id) else {
        return value
      }
      if reaches { ledger.reach(uid) }
      let object = try reader.object(uid)
      guard let position = reader.position(of: key, in: object) else { return .null }
      value = try reader.value(of: object, at: position)
    }
    throw ArchiveError(.tooDeep, name: "\(Self.mostDepth)")
  }

  /// What stands under a key path of an object.
  func value(forKeyPath path: ArraySlice<String>, of object: ArchivedObject) throws -> ImportValue {
    guard let key = path.first, let position = reader.position(of: key, in: object) else {
      return .null
    }
    return try value(
      forKeyPath: path.dropFirst(), of: try reader.value(of: object, at: position))
  }

  private func value(
    forKeyPath path: ArraySlice<String>, of value: ArchivedValue
  ) throws -> ImportValue {
    guard let key = path.first else { return try importValue(of: value) }
    switch value {
    case .object(let uid, _):
      return try self.value(forKeyPath: path, of: try reader.object(uid))
    case .collection(let id, .dictionary):
      let elements = try reader.elements(of: id, .dictionary)
      for position in 0..<elements.count
      where plainValue(of: try reader.key(of: elements, at: position)) == .text(key) {
        return try self.value(
          forKeyPath: path.dropFirst(), of: try reader.value(of: elements, at: position))
      }
      return .null
    case .collection(let id, let kind):
      let elements = try reader.elements(of: id, kind)
      var values: [ImportValue] = []
      for position in 0..<elements.count {
        values.append(
          try self.value(
            forKeyPath: path, of: try reader.value(of: elements, at: position)))
      }
      return .list(values)
    default:
      return .null
    }
  }

  /// The value with rows in the place of handles.
  func rows(for value: ImportValue) throws -> ImportValue {
    try ObjectHandle.replace(in: value) { uid in
      try importValue(of: try reader.value(ofObject: uid))
    }
  }
}

/// What expressions see of an archived object.
struct ForecastScope: ObjectExpressionScope {
  private let forecast: RowForecast
  let object: ArchivedObject

  init(_ forecast: RowForecast, _ object: ArchivedObject) {
    self.forecast = forecast
    self.object = object
  }

  /// Not the time that the run had: whoever asks has a value that cannot be compared.
  var now: Date {
    forecast.askedForTime = true
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
      guard case .object(_, let id)? = try? forecast.reader.value(ofObject: uid),
        let row = try? forecast.row(of: uid, id, mapping: name)
      else { continue }
      rows.append(.row(row))
    }
    return .list(rows)
  }

  func archivedObject(_ uid: Int) -> ArchivedObject? { try? forecast.reader.object(uid) }

  func archivedValue(of key: String, in object: ArchivedObject) throws -> ImportValue? {
    let key = ArchivedName.text(key)
    guard let position = forecast.reader.position(of: key, in: object) else { return nil }
    return try forecast.importValue(
      of: try forecast.reader.value(of: object, at: position), asHandles: true)
  }
}
