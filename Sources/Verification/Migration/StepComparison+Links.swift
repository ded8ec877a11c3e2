import ArchiveReader
import DataModel
import GraphCore
import Importer
import Mappings
import Migration
import Support

// The links of both stores.
extension StepComparison {
  /// The objects that a relationship of a row must lead to, as far as its own entity mapping says.
  func members(
    _ value: PlannedValue, _ relationship: Relationship, _ uid: Int, _ scope: StepScope
  ) throws(ExpressionFailure) -> [Int] {
    var found: [Int]
    switch value {
    case .none, .constant, .copy, .computed, .stored: return []
    case .objects(let expression):
      found = try expression.evaluate(in: scope).rows.compactMap(row)
    case .links(let links):
      let uids: [Int]
      do {
        switch links.sources {
        case .itself: uids = [uid]
        case .relationship(let key): uids = try old.objects(under: key, of: uid)
        case .expression(let expression):
          uids = ObjectHandle.uids(in: try expression.evaluate(in: scope))
        }
        found = try uids.flatMap { uid in
          try links.mappings.flatMap { try rows(of: uid, madeBy: $0) }
        }
      } catch let failure as ExpressionFailure {
        throw failure
      } catch {
        throw ExpressionFailure(.functionFailed, name: "\(error)")
      }
    }
    found = found.filter { row in
      let hierarchy = program.destination.hierarchy
      guard let entity = hierarchy.index(of: entity(of: row)) else { return false }
      return relationship.destinations.compactMap(hierarchy.index)
        .contains { hierarchy.isKind(entity, of: $0) }
    }
    return found.count > 1 ? found.uniqued() : found
  }

  /// Compares the order of what an entity mapping says and is there; others may stand between.
  func compareOrder(
    of members: [Int], _ relationship: Relationship, _ object: GraphObject, _ row: Int, _ uid: Int
  ) throws(ExpressionFailure) {
    guard relationship.isToMany, relationship.isOrdered, members.count > 1 else { return }
    let said = Set(members)
    let found = try self.found(relationship.name, object).filter { said.contains($0) }
    let there = Set(found)
    guard found != members.filter({ there.contains($0) }) else { return }
    difference(uid, row, relationship.name, "the order of the old store", "another")
  }

  /// The objects that a relationship of the new store leads to.
  private func found(
    _ name: String, _ object: GraphObject
  ) throws(ExpressionFailure) -> [Int] {
    do {
      return try new.objects(under: name, of: object.uid)
    } catch {
      throw ExpressionFailure(.functionFailed, name: "\(error)")
    }
  }

  /// Notes the links of the new store.
  func noteLinks() throws {
    var next = 0
    while let (row, id) = try new.ownObject(from: next) {
      next = row + 1
      guard let entity = program.destination.hierarchy.index(of: new.classes[id.index].name) else {
        continue
      }
      for property in program.destination.entities[entity].properties {
        guard case .relationship(_, let pair, let side) = property.content else { continue }
        for other in try new.objects(under: property.name, of: row) {
          links[pair].find(row, other, side)
        }
      }
    }
  }

  func compareLinks(_ pair: Int) {
    var links = links[pair]
    self.links[pair].removeAll()
    let differences = links.differences { makers[Int($0)].contains(.policy) }
    findings.count(values: 0, links: links.count)
    for (link, isMissing) in differences {
      let row = Int(link.owner)
      let (name, words) = (name(of: pair, on: row), "a link to \(words(of: Int(link.member)))")
      difference(nil, row, name, isMissing ? words : "none", isMissing ? "none" : words)
    }
  }

  private func words(of row: Int) -> String { "\(entity(of: row)) \(reference(of: row).id)" }

  /// The name of the relationship by which a pair begins at an object.
  private func name(of pair: Int, on row: Int) -> String {
    let index = program.destination.hierarchy.index(of: entity(of: row))
    let property = index.flatMap { index in
      program.destination.entities[index].properties.first {
        if case .relationship(_, pair, 0) = $0.content { true } else { false }
      }
    }
    return property?.name ?? ""
  }
}
