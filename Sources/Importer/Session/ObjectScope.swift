import ArchiveReader
import Foundation

/// An archived object, as expressions see it.
///
/// `ImportSession.rows(for:)` makes rows of the handles that are left in a result.
struct ObjectScope: ObjectExpressionScope {
  private let session: ImportSession
  let object: GraphObject

  init(_ session: ImportSession, _ object: GraphObject) {
    self.session = session
    self.object = object
  }

  var graph: any ObjectGraph { session.graph }

  var now: Date { session.context.now }

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

  func valueWithHandles(of value: GraphValue) throws -> ImportValue {
    try session.importValue(of: value, objects: .handle)
  }
}

extension ImportSession {
  /// The value with rows in the place of the handles of objects.
  func rows(for value: ImportValue) throws -> ImportValue {
    try ObjectHandle.replace(in: value) { uid in
      try importValue(of: try graph.value(ofObject: uid))
    }
  }

  /// Answers a function of `$manager` or `$entityPolicy`.
  func call(
    _ selector: String, on variable: String, _ arguments: [ImportValue]
  ) throws -> ImportValue {
    switch (variable, selector) {
    case ("manager", "destinationInstancesForEntityMappingNamed:sourceInstances:"):
      guard arguments.count == 2, case .text(let name) = arguments[0] else { break }
      let uids = ObjectHandle.uids(in: arguments[1])
      let rows = try uids.flatMap { uid in
        if case .object(_, let id) = try graph.value(ofObject: uid),
          let row = try row(of: uid, id, fitting: [], mapping: name)
        {
          return [row]
        }
        return context.associations.destinations(of: SourceKey(archiveID, uid), name)
      }
      return .list(rows.map { .row($0) })
    case ("entityPolicy", _):
      guard let function = policyFunctions[selector], let manager = migration?.manager else {
        break
      }
      return try function(try arguments.map(rows), manager)
    default:
      break
    }
    throw ExpressionFailure(.unknownFunction, name: selector)
  }
}
