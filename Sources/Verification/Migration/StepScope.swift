import ArchiveReader
import DataModel
import Foundation
import GraphCore
import Importer
import Mappings
import Migration

/// The surroundings of the expressions of a step whose new store is compared: both stores, and what
/// objects have become.
final class StepScope: ExpressionScope {
  let now: Date
  private unowned let comparison: StepComparison
  private var source: Int?
  private var mapping = 0
  private var property: String?
  private var destination: Int?
  /// True if the last expression asked for what only a policy knows.
  private(set) var dependsOnPolicy = false

  init(_ comparison: StepComparison, now: Date) {
    (self.comparison, self.now) = (comparison, now)
  }

  private var program: MigrationProgram { comparison.program }

  /// Begins to evaluate what an entity mapping says of a property of a row.
  func begin(_ source: Int, _ mapping: Int, _ property: String?, _ destination: Int?) {
    (self.source, self.mapping, self.property) = (source, mapping, property)
    self.destination = destination
    dependsOnPolicy = false
  }

  /// True if an entity mapping takes an object.
  func passes(_ filter: FilterPredicate, _ uid: Int, _ mapping: Int) throws -> Bool {
    begin(uid, mapping, nil, nil)
    return try filter.evaluate(in: self)
  }

  // MARK: Values

  func value(
    forKeyPath path: [String], of variable: String?
  ) throws(ExpressionFailure) -> ImportValue {
    switch variable {
    case nil:
      guard let source else { break }
      return try value(forKeys: path[...], of: ObjectHandle.value(source))
    case "destination":
      guard let destination else { break }
      return try value(forKeys: path[...], of: .row(comparison.reference(of: destination)))
    case "entityMapping":
      return try program.mappings[mapping].info.value(forKeyPath: path)
    case "propertyMapping":
      let notes = property.flatMap { program.mappings[mapping].propertyUserInfo[$0] } ?? [:]
      return try MigrationMapping.value(
        forKeyPath: path, ofProperty: property, notes.compactMapValues(\.importValue))
    case "manager", "entityPolicy": throw unknown(path.first ?? "")
    default: break
    }
    throw ExpressionFailure(.unknownVariable, name: variable)
  }

  private func unknown(_ name: String) -> ExpressionFailure {
    dependsOnPolicy = true
    return ExpressionFailure(.unknownVariable, name: name)
  }

  func value(forKey key: String, of object: RowReference) throws(ExpressionFailure) -> ImportValue {
    if let uid = ObjectHandle.uid(of: object) {
      if let found = try value(comparison.old, uid, key, ObjectHandle.value) { return found }
      if key == "self" { return ObjectHandle.value(uid) }
      // A transient attribute has nothing, which no migration sees.
      return .null
    }
    guard let row = comparison.row(of: object) else { return .null }
    return try value(comparison.new, row, key) { .row(comparison.reference(of: $0)) } ?? .null
  }

  private func value(
    _ graph: any ObjectGraph, _ uid: Int, _ key: String, _ object: (Int) -> ImportValue
  ) throws(ExpressionFailure) -> ImportValue? {
    do throws(ArchiveError) {
      let found = try graph.object(uid)
      guard let position = graph.position(of: key, in: found) else { return nil }
      switch try graph.value(of: found, at: position) {
      case .object(let uid, _): return object(uid)
      case .collection(let id, let kind):
        let elements = try graph.elements(of: id, kind)
        var values: [ImportValue] = []
        for place in 0..<elements.count {
          let element = try graph.value(of: elements, at: place)
          if case .object(let uid, _) = element { values.append(object(uid)) }
        }
        return kind.isOrdered ? .list(values) : .set(values)
      case let value: return graph.importValue(ofPlain: value)
      }
    } catch {
      throw ExpressionFailure(.functionFailed, name: "\(error)")
    }
  }

  // MARK: Functions

  func call(
    _ selector: String, on variable: String, _ arguments: [ImportValue]
  ) throws(ExpressionFailure) -> ImportValue {
    guard variable == "manager" else { throw unknown(selector) }
    guard arguments.count == 2, case .text(let name) = arguments[0] else {
      throw ExpressionFailure(.unknownFunction, name: selector)
    }
    switch selector {
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      let mappings = program.mappings(named: name, pass: program.mappings[mapping].pass)
      return try rows(of: arguments[1], mappings)
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
      return try rows(
        of: arguments[1],
        program.mappings.indices.filter { program.mappings[$0].destinationEntity != nil })
    default: throw unknown(selector)
    }
  }

  private func rows(
    of sources: ImportValue, _ mappings: [Int]
  ) throws(ExpressionFailure) -> ImportValue {
    do {
      return .list(
        try ObjectHandle.uids(in: sources).flatMap { uid in
          try mappings.flatMap { try comparison.rows(of: uid, madeBy: $0) }
        }.map { .row(comparison.reference(of: $0)) })
    } catch {
      throw ExpressionFailure(.functionFailed, name: "\(error)")
    }
  }
}
