import DataModel
import Foundation
import GraphCore
import MappingModels
import Mappings
import Policies

/// What the expressions of a mapping model see: a source object, what source objects have become,
/// and while policies run, the policy and the object that is being made.
final class MigrationScope: ExpressionScope {
  let now: Date
  let reader: SourceReader
  private let state: MigrationState
  /// The source object; nil where there is none.
  var source: Int?
  /// The entity mapping and the property that the expression belongs to.
  var mapping = 0
  var property: String?
  /// The run, as long as there is one.
  weak var migration: StoreMigrationEngine?

  init(
    _ state: MigrationState, _ graph: any ObjectGraph, _ limits: ReadingLimits, now: Date
  ) {
    self.state = state
    self.now = now
    reader = SourceReader(graph, limits)
  }

  // MARK: Values

  func value(
    forKeyPath path: [String], of variable: String?
  ) throws(ExpressionFailure) -> ImportValue {
    let rest = path.dropFirst()
    switch variable {
    case nil:
      guard let source else { throw ExpressionFailure(.unknownVariable, name: "source") }
      guard let key = path.first else { return ObjectHandle.value(source) }
      return try value(forKeys: rest, of: try value(of: key, source))
    case "destination":
      guard let index = migration?.currentDestination else { break }
      return try value(forKeys: path[...], of: DestinationHandle.value(index))
    case "entityMapping": return try value(ofEntityMapping: path)
    case "propertyMapping": return try value(ofPropertyMapping: path)
    case "manager":
      // The manager and its contexts are no values; what policies share may be.
      guard path.count > 1, path[0] == "userInfo" else { return .null }
      let shared = migration?.manager?.userInfo[path[1]]
      let found =
        shared as? ImportValue ?? (shared as? any ImportValueConvertible)?.importValue ?? .null
      return try value(forKeys: path.dropFirst(2), of: found)
    case "entityPolicy": return .null
    default: break
    }
    throw ExpressionFailure(.unknownVariable, name: variable)
  }

  func value(forKey key: String, of object: RowReference) throws(ExpressionFailure) -> ImportValue {
    if let uid = ObjectHandle.uids(in: .row(object)).first { return try value(of: key, uid) }
    guard let index = DestinationHandle.index(of: object), let migration else {
      throw ExpressionFailure(.unknownKey, name: key)
    }
    do {
      return try migration.value(forKey: key, of: index)
    } catch {
      throw ExpressionFailure(.functionFailed, name: "\(error)")
    }
  }

  private func value(of key: String, _ uid: Int) throws(ExpressionFailure) -> ImportValue {
    let found: ImportValue?
    do {
      found = try reader.value(forKey: key, of: uid)
    } catch {
      throw ExpressionFailure(.functionFailed, name: "the source cannot be read under \(key)")
    }
    guard let found else { return try unstoredValue(of: key, uid) }
    return found
  }

  /// What an object has under a key that its store does not have: nothing for a transient
  /// attribute, which no migration sees.
  private func unstoredValue(
    of key: String, _ uid: Int
  ) throws(ExpressionFailure) -> ImportValue {
    if key == "self" { return ObjectHandle.value(uid) }
    let program = state.program
    guard let entity = state.source.storeKey(ofObject: uid)?.entity,
      let index = program.sourceHierarchy.index(of: entity),
      program.sourceHierarchy.attribute(key, of: index, in: program.source) != nil
    else { throw ExpressionFailure(.unknownKey, name: key) }
    return .null
  }

  private func value(ofEntityMapping path: [String]) throws(ExpressionFailure) -> ImportValue {
    let info = state.program.mappings[mapping].info
    switch path.first {
    case nil: return .null
    case "name": return .text(info.name)
    case "sourceEntityName": return info.sourceClassNames.first.map { .text($0) } ?? .null
    case "destinationEntityName": return info.destination.map { .text($0) } ?? .null
    case "userInfo" where path.count == 2: return info.userInfo[path[1]] ?? .null
    default: throw ExpressionFailure(.unknownKey, name: path.joined(separator: "."))
    }
  }

  private func value(ofPropertyMapping path: [String]) throws(ExpressionFailure) -> ImportValue {
    switch path.first {
    case nil: return .null
    case "name": return property.map { .text($0) } ?? .null
    case "userInfo" where path.count == 2:
      let userInfo = property.flatMap { state.program.mappings[mapping].propertyUserInfo[$0] }
      return userInfo?[path[1]]?.importValue ?? .null
    default: throw ExpressionFailure(.unknownKey, name: path.joined(separator: "."))
    }
  }

  // MARK: Functions

  func call(
    _ selector: String, on variable: String, _ arguments: [ImportValue]
  ) throws(ExpressionFailure) -> ImportValue {
    if variable == "entityPolicy" {
      guard let migration else { throw ExpressionFailure(.unknownFunction, name: selector) }
      do {
        return try migration.callPolicy(selector, arguments, mapping)
      } catch let failure as ExpressionFailure {
        throw failure
      } catch {
        throw ExpressionFailure(.functionFailed, name: "\(selector): \(error)")
      }
    }
    guard variable == "manager", arguments.count == 2, case .text(let name) = arguments[0] else {
      throw ExpressionFailure(.unknownFunction, name: selector)
    }
    switch selector {
    case MigrationSelector.byEntityMapping:
      let pass = state.program.mappings[mapping].pass
      return destinations(of: arguments[1], state.program.mappings(named: name, pass: pass))
    case MigrationSelector.byRelationship:
      let mappings = state.program.mappings
      return destinations(
        of: arguments[1], mappings.indices.filter { mappings[$0].destinationEntity != nil })
    case MigrationSelector.sources:
      let indices = DestinationHandle.indices(in: arguments[1])
      return .list(indices.compactMap { state.place(of: $0)?.source }.map(ObjectHandle.value))
    default: throw ExpressionFailure(.unknownFunction, name: selector)
    }
  }

  private func destinations(
    of sources: ImportValue, _ mappings: [Int]
  ) -> ImportValue {
    if migration != nil {
      for mapping in mappings { state.associations[mapping].sort() }
    }
    var found: [ImportValue] = []
    for uid in ObjectHandle.uids(in: sources) {
      for mapping in mappings {
        state.forEachDestination(of: uid, mapping) { found.append(DestinationHandle.value($0)) }
      }
    }
    return .list(found)
  }

  // MARK: Evaluation

  /// The value of an expression for a source object.
  func evaluate(
    _ expression: ValueExpression, of source: Int?, _ mapping: Int, _ property: String
  ) throws(ExpressionFailure) -> ImportValue {
    let before = (self.source, self.mapping, self.property)
    (self.source, self.mapping, self.property) = (source, mapping, property)
    defer { (self.source, self.mapping, self.property) = before }
    return try expression.evaluate(in: self)
  }
}
