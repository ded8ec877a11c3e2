import ArchiveReader
import Foundation
import Mappings

/// The surroundings of a mapping model's expressions: a source object, what objects have become,
/// and while policies run, the policy and the row that is being made.
final class MigrationScope: ExpressionScope {
  private unowned let session: ImportSession
  /// The source object; nil where there is none.
  private var source: Int?
  /// The entity mapping and the property that the expression belongs to.
  private var mapping = 0
  private var property: String?

  init(_ session: ImportSession) { self.session = session }

  var now: Date { session.context.now }
  private var context: ImportContext { session.context }
  private var migration: MigrationTraits? { context.plan.migration }

  // MARK: Evaluation

  /// True if an entity mapping takes an object.
  func passes(
    _ filter: FilterPredicate, _ source: Int, _ mapping: Int, _ migration: MigrationTraits
  ) throws -> Bool {
    do throws(ExpressionFailure) {
      return try evaluating(source, mapping, nil) { () throws(ExpressionFailure) in
        try filter.evaluate(in: self)
      }
    } catch {
      throw MigrationError(
        .failedExpression, entityMapping: migration.entities[mapping].info.name,
        name: "\(filter.format): \(error)")
    }
  }

  /// The value of an expression for a source object.
  func value(
    of expression: ValueExpression, _ source: Int?, _ mapping: Int, _ property: String,
    _ migration: MigrationTraits
  ) throws -> ImportValue {
    do throws(ExpressionFailure) {
      return try evaluating(source, mapping, property) { () throws(ExpressionFailure) in
        try expression.evaluate(in: self)
      }
    } catch {
      if !migration.entities[mapping].isStaged, let source, context.migrated.walkedIDs == nil {
        let error = ArchiveError(.wrongKind, name: "a value of \(expression.format): \(error)")
        throw error.placed(at: session.position(of: source, property))
      }
      throw MigrationError(
        .failedExpression, entityMapping: migration.entities[mapping].info.name,
        property: property, name: "\(error)")
    }
  }

  private func evaluating<R>(
    _ source: Int?, _ mapping: Int, _ property: String?, _ body: () throws(ExpressionFailure) -> R
  ) throws(ExpressionFailure) -> R {
    let before = (self.source, self.mapping, self.property)
    (self.source, self.mapping, self.property) = (source, mapping, property)
    defer { (self.source, self.mapping, self.property) = before }
    return try body()
  }

  // MARK: Values

  func value(
    forKeyPath path: [String], of variable: String?
  ) throws(ExpressionFailure) -> ImportValue {
    switch variable {
    case nil:
      guard let source else { throw ExpressionFailure(.unknownVariable, name: "source") }
      return try value(forKeys: path[...], of: ObjectHandle.value(source))
    case "destination":
      guard let row = context.migrated.destination else { break }
      return try value(forKeys: path[...], of: .row(row))
    case "entityMapping":
      return try migration?.entities[mapping].info.value(forKeyPath: path) ?? .null
    case "propertyMapping":
      let notes = property.flatMap { migration?.entities[mapping].userInfo[$0] } ?? [:]
      return try MigrationMapping.value(forKeyPath: path, ofProperty: property, notes)
    case "manager":
      // The manager and its contexts are no values; what policies share may be.
      guard path.count > 1, path[0] == "userInfo" else { return .null }
      let shared = session.migration?.manager?.userInfo[path[1]]
      let found =
        shared as? ImportValue ?? (shared as? any ImportValueConvertible)?.importValue ?? .null
      return try value(forKeys: path.dropFirst(2), of: found)
    case "entityPolicy": return .null
    default: break
    }
    throw ExpressionFailure(.unknownVariable, name: variable)
  }

  func value(forKey key: String, of object: RowReference) throws(ExpressionFailure) -> ImportValue {
    guard let uid = ObjectHandle.uid(of: object) else {
      let value = context.row(for: object).value(of: key)
      if let failure = context.storeFailure {
        throw ExpressionFailure(.functionFailed, name: "\(failure)")
      }
      return value
    }
    do {
      if let found = try session.storedValue(forKey: key, of: uid) { return found }
    } catch {
      throw ExpressionFailure(.functionFailed, name: "the source cannot be read under \(key)")
    }
    // A transient attribute has nothing, which no migration sees.
    if key == "self" { return ObjectHandle.value(uid) }
    guard let name = session.entityName(of: uid),
      migration?.unstoredKeys[name]?.contains(key) == true
    else { throw ExpressionFailure(.unknownKey, name: key) }
    return .null
  }

  // MARK: Functions

  func call(
    _ selector: String, on variable: String, _ arguments: [ImportValue]
  ) throws(ExpressionFailure) -> ImportValue {
    do {
      if variable == "entityPolicy" {
        guard let function = session.policyFunctions[selector],
          let manager = session.migration?.manager
        else { throw ExpressionFailure(.unknownFunction, name: selector) }
        return try function(arguments, manager)
      }
      guard variable == "manager", arguments.count == 2, let migration,
        case .text(let name) = arguments[0]
      else { throw ExpressionFailure(.unknownFunction, name: selector) }
      switch selector {
      case "destinationInstancesForEntityMappingNamed:sourceInstances:":
        return try rows(of: arguments[1], migration.mappings(named: name, besides: mapping))
      case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
        return try rows(
          of: arguments[1],
          migration.entities.indices.filter { migration.entities[$0].info.destination != nil })
      case "sourceInstancesForEntityMappingNamed:destinationInstances:":
        return .list(
          try arguments[1].rows.flatMap { try session.sources(of: $0) }.map(ObjectHandle.value))
      default: throw ExpressionFailure(.unknownFunction, name: selector)
      }
    } catch let failure as ExpressionFailure {
      throw failure
    } catch {
      throw ExpressionFailure(.functionFailed, name: "\(selector): \(error)")
    }
  }

  private func rows(of sources: ImportValue, _ mappings: [Int]) throws -> ImportValue {
    var found: [ImportValue] = []
    for uid in ObjectHandle.uids(in: sources) {
      for mapping in mappings {
        try session.forEachRow(of: uid, madeBy: mapping) { found.append(.row($0)) }
      }
    }
    return .list(found)
  }
}

extension MigrationMapping {
  /// The value of a key path of `$entityMapping` in an expression.
  package func value(forKeyPath path: [String]) throws(ExpressionFailure) -> ImportValue {
    switch path.first {
    case nil: return .null
    case "name": return .text(name)
    case "sourceEntityName": return sourceClassNames.first.map { .text($0) } ?? .null
    case "destinationEntityName": return destination.map { .text($0) } ?? .null
    case "userInfo" where path.count == 2: return userInfo[path[1]] ?? .null
    default: throw ExpressionFailure(.unknownKey, name: path.joined(separator: "."))
    }
  }

  /// The value of a key path of `$propertyMapping` in an expression.
  ///
  /// - Parameters:
  ///   - path: The key path.
  ///   - property: The name of the property.
  ///   - notes: Those of the author, by key.
  /// - Returns: The value.
  /// - Throws: `ExpressionFailure` for an unknown key.
  package static func value(
    forKeyPath path: [String], ofProperty property: String?, _ notes: [String: ImportValue]
  ) throws(ExpressionFailure) -> ImportValue {
    switch path.first {
    case nil: return .null
    case "name": return property.map { .text($0) } ?? .null
    case "userInfo" where path.count == 2: return notes[path[1]] ?? .null
    default: throw ExpressionFailure(.unknownKey, name: path.joined(separator: "."))
    }
  }
}
