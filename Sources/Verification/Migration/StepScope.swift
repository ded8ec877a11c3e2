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
  /// True for an expression that was evaluated before all objects and links were there.
  private var isOfAttribute = false
  /// The reason why the value of the last expression is not known; nil if it is.
  private(set) var obstacle: String?

  init(_ comparison: StepComparison, now: Date) {
    (self.comparison, self.now) = (comparison, now)
  }

  private var program: MigrationProgram { comparison.program }

  /// Begins to evaluate what an entity mapping says of a property of a row.
  func begin(
    _ source: Int, _ mapping: Int, _ property: String?, _ destination: Int?, isOfAttribute: Bool
  ) {
    (self.source, self.mapping, self.property) = (source, mapping, property)
    (self.destination, self.isOfAttribute) = (destination, isOfAttribute)
    obstacle = nil
  }

  /// True if an entity mapping takes an object.
  func passes(_ filter: FilterPredicate, _ uid: Int, _ mapping: Int) throws -> Bool {
    begin(uid, mapping, nil, nil, isOfAttribute: true)
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
    case "manager", "entityPolicy": throw ofPolicy(path.first ?? "")
    default: break
    }
    throw ExpressionFailure(.unknownVariable, name: variable)
  }

  private func ofPolicy(_ name: String) -> ExpressionFailure {
    obstacle = "only a policy knows it"
    return ExpressionFailure(.unknownVariable, name: name)
  }

  /// The failure of an expression that has seen something that was not finished then.
  private func early(_ name: String) -> ExpressionFailure {
    obstacle = "it depends on what was there when it was computed"
    return ExpressionFailure(.unknownKey, name: name)
  }

  func value(forKey key: String, of object: RowReference) throws(ExpressionFailure) -> ImportValue {
    if let uid = ObjectHandle.uid(of: object) {
      if let found = try value(comparison.old, uid, key, ObjectHandle.value) { return found }
      if key == "self" { return ObjectHandle.value(uid) }
      // A transient attribute has nothing, which no migration sees.
      return .null
    }
    guard let row = comparison.row(of: object) else { return .null }
    guard isFinal(key, of: row) else { throw early(key) }
    return try value(comparison.new, row, key) { .row(comparison.reference(of: $0)) } ?? .null
  }

  /// True for an attribute of a row that is not computed after the rest.
  private func isFinal(_ key: String, of row: Int) -> Bool {
    guard let entity = program.destination.hierarchy.index(of: comparison.entity(of: row)),
      let position = program.destination.entities[entity].positions[key],
      case .attribute = program.destination.entities[entity].properties[position].content
    else { return false }
    return program.mappings.allSatisfy { mapping in
      guard mapping.destinationEntity == entity else { return true }
      if case .stored = mapping.values[position] { return false }
      return mapping.policyClassName == nil
    }
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
    guard variable == "manager" else { throw ofPolicy(selector) }
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
    default: throw early(selector)
    }
  }

  private func rows(
    of sources: ImportValue, _ mappings: [Int]
  ) throws(ExpressionFailure) -> ImportValue {
    if isOfAttribute, mappings.contains(where: { program.mappings[$0].isEager }) {
      throw early(property ?? "")
    }
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
