import ArchiveReader
import Foundation

/// What expressions see of an archived object.
///
/// Objects stand in values as handles, so that a filter that looks at one does not make it a row;
/// `ImportSession.rows(for:)` makes rows of the handles that are left in a result.
struct ObjectScope: ExpressionScope {
  private let session: ImportSession
  private let object: ArchivedObject

  init(_ session: ImportSession, _ object: ArchivedObject) {
    self.session = session
    self.object = object
  }

  var now: Date { session.context.now }

  func value(
    forKeyPath path: [String], of variable: String?
  ) throws(ExpressionFailure) -> ImportValue {
    guard variable == nil else { throw ExpressionFailure(.unknownVariable, name: variable) }
    guard let key = path.first else { return Self.handle(object.uid) }
    return try value(forKeys: path.dropFirst(), of: try value(of: key, in: object))
  }

  func value(
    forKey key: String, of object: RowReference
  ) throws(ExpressionFailure) -> ImportValue {
    guard object.entity == Self.handleEntity, let uid = Int(exactly: object.id),
      let found = try? session.importer.reader.object(uid)
    else { throw ExpressionFailure(.unknownKey, name: key) }
    return try value(of: key, in: found)
  }

  func call(
    _ selector: String, on variable: String, _ arguments: [ImportValue]
  ) throws(ExpressionFailure) -> ImportValue {
    do {
      return try session.call(selector, on: variable, arguments)
    } catch let failure as ExpressionFailure {
      throw failure
    } catch {
      throw ExpressionFailure(.functionFailed, name: "\(selector) failed")
    }
  }

  private func value(
    of key: String, in object: ArchivedObject
  ) throws(ExpressionFailure) -> ImportValue {
    guard let position = session.importer.reader.position(of: key, in: object) else {
      return .null
    }
    do {
      let value = try session.importer.reader.value(of: object, at: position)
      return try session.importValue(of: value, objectsAsHandles: true)
    } catch {
      throw ExpressionFailure(.functionFailed, name: "the archive is damaged under \(key)")
    }
  }

  static let handleEntity = -1

  static func handle(_ uid: Int) -> ImportValue {
    .row(RowReference(entity: handleEntity, id: Int64(uid)))
  }
}

extension ImportSession {
  /// The value with rows in the place of the handles of objects.
  func rows(for value: ImportValue) throws -> ImportValue {
    switch value {
    case .row(let row) where row.entity == ObjectScope.handleEntity:
      guard let uid = Int(exactly: row.id) else { return .null }
      return try importValue(of: try importer.reader.value(ofObject: uid))
    case .list(let values): return .list(try values.map(rows))
    case .set(let values): return .set(try values.map(rows))
    case .dictionary(let pairs):
      return .dictionary(
        try pairs.map { ImportValue.Pair(try rows(for: $0.key), try rows(for: $0.value)) })
    default: return value
    }
  }

  /// Answers a function of `$manager` or `$entityPolicy`.
  func call(
    _ selector: String, on variable: String, _ arguments: [ImportValue]
  ) throws -> ImportValue {
    switch (variable, selector) {
    case ("manager", "destinationInstancesForEntityMappingNamed:sourceInstances:"):
      guard arguments.count == 2, case .text(let name) = arguments[0] else { break }
      let uids = Self.handles(in: arguments[1])
      let rows = try uids.flatMap { uid in
        if case .object(_, let id) = try importer.reader.value(ofObject: uid),
          let row = try row(of: uid, id, fitting: [], mapping: name)
        {
          return [row]
        }
        return context.associations.destinations(of: SourceKey(archiveID, uid), name)
      }
      return .list(rows.map { .row($0) })
    case ("entityPolicy", _):
      guard let policy = currentPolicy, let manager else { break }
      let values = try arguments.map(rows)
      if let value = try policy.value(of: selector, arguments: values, manager: manager) {
        return value
      }
    default:
      break
    }
    throw ExpressionFailure(.unknownFunction, name: selector)
  }

  private static func handles(in value: ImportValue) -> [Int] {
    switch value {
    case .row(let row) where row.entity == ObjectScope.handleEntity: [Int(row.id)]
    case .list(let values), .set(let values): values.flatMap(handles)
    default: []
    }
  }
}
