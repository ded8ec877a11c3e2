import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import Importer
import Mappings
import Migration
import Stores

/// Compares the store that a step of a migration made with what its mapping models say of the old
/// one.
///
/// It is told which rows were made of which objects, and takes the run at its word in nothing else:
/// each object that an entity mapping takes must have become one row of the entity, and each row
/// have been one object. Then each value and each link of the new store must be what the mapping
/// models make of those of the old one, and nothing else may be there. Only what policies in Swift
/// make is not known.
///
/// Takes a byte for each object, and 16 for each link.
package final class StepComparison {
  let program: MigrationProgram
  let outcome: MigrationOutcome
  let old: any ObjectGraph
  let new: any ObjectGraph
  let findings: VerificationFindings
  let path: String
  private let newSource: any CoreDataSource
  private let find: (_ entity: String, _ key: Int64) -> Int?
  private let archive: (ImportValue) -> Data?
  private let now: Date
  private lazy var scope = StepScope(self, now: now)
  /// The makers of each object of the new store.
  var makers: [Makers]
  var links: [StepLinks]

  /// The makers of an object of the new store.
  struct Makers: OptionSet {
    let rawValue: UInt8

    /// An entity mapping without a policy.
    static let mapping = Makers(rawValue: 1)
    static let policy = Makers(rawValue: 2)
  }

  /// Prepares the comparison of a step.
  ///
  /// - Parameters:
  ///   - program: The mapping models.
  ///   - old: The store before the step.
  ///   - new: The one after it.
  ///   - outcome: The rows that were made of objects.
  ///   - path: The path of the migrated store, for findings.
  ///   - limits: The limits of reading the stores.
  ///   - now: The time that expressions see.
  ///   - archive: The form of a plain value in a transformable attribute.
  package init(
    _ program: MigrationProgram, from old: any GraphSource, to new: any CoreDataSource,
    _ outcome: MigrationOutcome, path: String, limits: ReadingLimits, now: Date,
    archive: @escaping (ImportValue) -> Data?
  ) {
    (self.program, self.outcome, self.path) = (program, outcome, path)
    (newSource, find) = (new, new.makeKeyLookup())
    let options = GraphOptions(limits: limits)
    (self.old, self.new) = (old.makeGraph(options), new.makeGraph(options))
    (self.archive, self.now) = (archive, now)
    findings = VerificationFindings()
    makers = Array(repeating: [], count: new.objectCount)
    links = program.destination.pairs.map(StepLinks.init)
  }

  /// Compares the stores.
  ///
  /// - Returns: The differences, and the numbers of values and links that were compared.
  /// - Throws: `ArchiveError`, if one of them cannot be read.
  package func compare() throws -> VerificationResult {
    try compareOrigins()
    try noteLinks()
    try forEachMade { uid, mapping, row in
      try compareRow(row, of: uid, mapping)
    }
    for pair in links.indices { compareLinks(pair) }
    return findings.result
  }

  // MARK: Objects and rows

  /// True if what an entity mapping makes of an object is known.
  private func isKnown(_ mapping: Int) -> Bool {
    program.mappings[mapping].policyClassName == nil
  }

  private func compareOrigins() throws {
    var next = 0
    while let (uid, id) = try old.ownObject(from: next) {
      next = uid + 1
      guard let entity = program.sourceHierarchy.index(of: old.classes[id.index].name) else {
        continue
      }
      for mapping in program.mappingsOfEntity[entity] where isKnown(mapping) {
        try compareOrigin(of: uid, mapping)
      }
    }
    let policies = program.mappings.indices.filter { !isKnown($0) }
    for mapping in policies {
      try outcome.forEachSource(of: mapping) { uid in
        for row in try rows(of: uid, madeBy: mapping) { makers[row].insert(.policy) }
      }
    }
    next = 0
    while let (row, _) = try new.ownObject(from: next) {
      next = row + 1
      guard makers[row].isEmpty else { continue }
      if policies.isEmpty {
        difference(nil, row, "", "nothing", "a row")
      } else {
        makers[row] = .policy
      }
    }
  }

  private func compareOrigin(of uid: Int, _ mapping: Int) throws {
    let planned = program.mappings[mapping]
    var rows = 0
    try outcome.forEachRow(of: uid, madeBy: mapping) { reference in
      rows += 1
      guard let row = row(of: reference) else {
        return findings.add(
          archive: path, uid: number(of: uid), entity: planned.info.destination ?? "",
          row: reference.id, property: "", expected: "a row", found: "nothing")
      }
      let made = planned.destinationEntity.map { program.destination.entities[$0].name }
      let isFirst = makers[row].insert(.mapping).inserted
      guard isFirst, self.entity(of: row) == made else {
        return difference(
          uid, row, "", "a row of \(made ?? "no entity") for each object",
          isFirst ? "one of \(self.entity(of: row))" : "one for several")
      }
    }
    let isExpected =
      try planned.destinationEntity != nil
      && planned.filter.map { try scope.passes($0, uid, mapping) } ?? true
    guard rows != (isExpected ? 1 : 0) else { return }
    findings.add(
      archive: path, uid: number(of: uid), entity: planned.info.destination ?? "", row: nil,
      property: "", expected: isExpected ? "a row by \(planned.info.name)" : "no row",
      found: rows == 0 ? "none" : "\(rows)")
  }

  /// Calls a function with each object and each row that entity mappings without policies made of
  /// it.
  private func forEachMade(_ body: (_ uid: Int, _ mapping: Int, _ row: Int) throws -> Void) throws {
    for mapping in program.mappings.indices where isKnown(mapping) {
      try outcome.forEachSource(of: mapping) { uid in
        for row in try rows(of: uid, madeBy: mapping) { try body(uid, mapping, row) }
      }
    }
  }

  /// The objects of the new store that an entity mapping made of an object.
  func rows(of uid: Int, madeBy mapping: Int) throws -> [Int] {
    var rows: [Int] = []
    try outcome.forEachRow(of: uid, madeBy: mapping) { reference in
      // That it is not there has been found.
      if let row = row(of: reference) { rows.append(row) }
    }
    return rows
  }

  /// The object of the new store that is a row.
  func row(of reference: RowReference) -> Int? {
    guard program.destination.entities.indices.contains(reference.entity) else { return nil }
    return find(program.destination.entities[reference.entity].name, reference.id)
  }

  /// The row that an object of the new store is.
  func reference(of row: Int) -> RowReference {
    RowReference(
      entity: program.destination.hierarchy.index(of: entity(of: row)) ?? -1,
      id: newSource.storeKey(ofObject: row)?.key ?? 0)
  }

  /// The name of the entity of an object of the new store.
  func entity(of row: Int) -> String {
    guard case .object(_, let id)? = try? new.value(ofObject: row) else { return "?" }
    return new.classes[id.index].name
  }

  private func number(of uid: Int) -> Int { old.source.reportedNumber(ofObject: uid) }

  // MARK: Values

  private func compareRow(_ row: Int, of uid: Int, _ mapping: Int) throws {
    let planned = program.mappings[mapping]
    guard let entity = planned.destinationEntity else { return }
    let (source, object) = (try old.object(uid), try new.object(row))
    let properties = program.destination.entities[entity].properties
    for (property, value) in zip(properties, planned.values) {
      switch property.content {
      case .attribute(let attribute):
        guard attribute.type != .composite else { continue }
        if try isArchived(value, attribute, source) {
          let found = try plain(new, object, property.name)
          if found.isNull { difference(uid, row, property.name, "an archive", "NULL") }
          findings.omit(planned.info.destination ?? "", property.name, reason: Self.archiveReason)
          continue
        }
        scope.begin(uid, mapping, property.name, row, isOfAttribute: true)
        do throws(ExpressionFailure) {
          let expected = try expected(value, attribute, source, scope)
          compare(attribute, expected, try plain(new, object, property.name), uid, row)
        } catch {
          note(error, property.name, planned, uid, row)
        }
      case .relationship(let relationship, let pair, let side):
        scope.begin(uid, mapping, property.name, row, isOfAttribute: false)
        do throws(ExpressionFailure) {
          let members = try members(value, relationship, uid, scope)
          try compareOrder(of: members, relationship, object, row, uid)
          for member in members { links[pair].say(row, member, side) }
        } catch {
          note(error, property.name, planned, uid, row)
        }
      }
    }
  }

  private static let unarchive = try? ValueConversion([.unarchive])
  private static let archiveReason = "it is an archive of its own"

  /// True for objects and collections in a transformable attribute, of which the run makes an
  /// archive.
  private func isArchived(
    _ value: PlannedValue, _ attribute: Attribute, _ source: GraphObject
  ) throws(ArchiveError) -> Bool {
    guard attribute.type == .transformable, case .copy(let key, _, _) = value,
      let position = old.position(of: key, in: source)
    else { return false }
    switch try old.value(of: source, at: position) {
    case .object, .collection, .foundation: return true
    default: return false
    }
  }

  /// Notes that an expression has no value: the run has found one.
  private func note(
    _ error: ExpressionFailure, _ property: String, _ mapping: PlannedMapping, _ uid: Int,
    _ row: Int
  ) {
    if let reason = scope.obstacle {
      findings.omit(mapping.info.destination ?? "", property, reason: reason)
    } else {
      difference(uid, row, property, "\(error)", "a value")
    }
  }

  private func expected(
    _ value: PlannedValue, _ attribute: Attribute, _ source: GraphObject, _ scope: StepScope
  ) throws(ExpressionFailure) -> ImportValue {
    let found: ImportValue
    switch value {
    case .none, .links, .objects: return .null
    case .constant(let constant): found = constant
    case .copy(let key, let fits, let missing):
      let plain = try plain(old, source, key)
      guard plain.isNull || !fits || attribute.type == .transformable else { return plain }
      found = plain.isNull ? missing : plain
    case .computed(let expression), .stored(let expression):
      found = try expression.evaluate(in: scope)
    }
    if attribute.type == .transformable { return archive(found).map { .data($0) } ?? .null }
    return found.fitted(to: attribute.type) ?? .null
  }

  private func compare(
    _ attribute: Attribute, _ expected: ImportValue, _ found: ImportValue, _ uid: Int, _ row: Int
  ) {
    findings.countValue()
    guard !expected.isIdentical(to: found) else { return }
    // Two archives of one value may have their entries in another order.
    if attribute.type == .transformable, let unarchive = Self.unarchive,
      let (one, other) = try? (unarchive.convert(expected).value, unarchive.convert(found).value),
      one.isIdentical(to: other)
    {
      return
    }
    difference(
      uid, row, attribute.name, StoredValue(expected).words, StoredValue(found).words)
  }

  /// The plain value of an object under a key.
  func plain(
    _ graph: any ObjectGraph, _ object: GraphObject, _ key: String
  ) throws(ExpressionFailure) -> ImportValue {
    guard let position = graph.position(of: key, in: object) else { return .null }
    do throws(ArchiveError) {
      return graph.importValue(ofPlain: try graph.value(of: object, at: position))
    } catch {
      throw ExpressionFailure(.functionFailed, name: "\(error)")
    }
  }

  func difference(
    _ uid: Int?, _ row: Int, _ property: String, _ expected: @autoclosure () -> String,
    _ found: @autoclosure () -> String
  ) {
    findings.add(
      archive: path, uid: uid.map(number), entity: entity(of: row),
      row: newSource.storeKey(ofObject: row)?.key, property: property, expected: expected(),
      found: found())
  }
}

extension ImportValue {
  /// True if two values are the same to the bit.
  fileprivate func isIdentical(to other: ImportValue) -> Bool {
    switch (self, other) {
    case (.real(let first), .real(let second)): first.bitPattern == second.bitPattern
    case (.date(let first), .date(let second)):
      first.timeIntervalSinceReferenceDate.bitPattern
        == second.timeIntervalSinceReferenceDate.bitPattern
    case (.text(let first), .text(let second)), (.url(let first), .url(let second)):
      first.utf8.elementsEqual(second.utf8)
    default: self == other
    }
  }
}
