import ArchiveReader
import DataModel
import Importer
import Stores

// Which rows plain objects lead to.
extension ExpectedRows {
  /// Hands out the rows that a plain object leads to: single ones in the order of its keys, then
  /// those that its own table has no room for, then those of its collections.
  func visitPlain(_ object: GraphObject, _ owner: RowReference) throws {
    let keys = keys(of: object, owner.entity)
    var overflow: [GraphValue] = []
    var open: [(use: PlainKeys.Use, id: CollectionID, kind: CollectionKind)] = []
    for use in keys.leading {
      // What has a row of its own waits for its turn, or had it.
      if run.links == nil, let uid = graph.reference(of: object, at: use.position),
        ledger.hasRow(uid)
      {
        continue
      }
      let value = try graph.value(of: object, at: use.position)
      switch value {
      case .object(let uid, let id):
        guard use.storage.reference != nil else {
          overflow.append(value)
          continue
        }
        let target = try row(of: uid, id)
        if let target, let links = run.links, let index = use.toOne {
          links.relate(index, of: owner, toOne: target)
        }
      case .collection(let id, let kind):
        open.append((use, id, kind))
      default:
        break
      }
    }
    for value in overflow { _ = try item(of: value, inCollection: true) }
    for (use, id, kind) in open { try visitElements(of: id, kind, owner, use) }
  }

  private func visitElements(
    of id: CollectionID, _ kind: CollectionKind, _ owner: RowReference, _ use: PlainKeys.Use
  ) throws {
    let elements = try graph.elements(of: id, kind)
    let relationship = run.links == nil ? nil : use.toMany
    let members = run.links == nil ? use.storage.members.map(owners(of:)) : nil
    var related: [RowReference] = []
    for position in 0..<elements.count {
      if kind.isKeyed {
        _ = try item(of: try graph.key(of: elements, at: position), inCollection: true)
      }
      let found = try item(of: try graph.value(of: elements, at: position), inCollection: true)
      guard case .row(let row) = found else { continue }
      if relationship != nil { related.append(row) }
      if let members { owners[members].add(row, position: Int64(position), owner: owner) }
    }
    if let relationship {
      run.links?.relate(relationship, of: owner, toMany: related, keepsOrder: kind.isOrdered)
    }
  }

  /// The index of the owners' claims on the members of a relationship.
  private func owners(of place: RelationalLayout.MemberStorage) -> Int {
    let table = plan.layout.entities[place.entity].table
    if let known = owners.firstIndex(where: { $0.table == table && $0.column == place.reference }) {
      return known
    }
    owners.append(Owners(place, table, plan.layout, firstIDs))
    return owners.count - 1
  }

  func handOutElements(of id: CollectionID, _ kind: CollectionKind) throws {
    let elements = try graph.elements(of: id, kind)
    for position in 0..<elements.count {
      if kind.isKeyed {
        _ = try item(of: try graph.key(of: elements, at: position), inCollection: true)
      }
      _ = try item(of: try graph.value(of: elements, at: position), inCollection: true)
    }
  }

  /// The uses of the keys of a plain object.
  func keys(of object: GraphObject, _ entity: Int) -> PlainKeys {
    if object.shape < plainKeys.count, let known = plainKeys[object.shape],
      known.classID == object.class
    {
      return known
    }
    while plainKeys.count <= object.shape { plainKeys.append(nil) }
    var names: [String: String] = [:]
    if case .plain(_, let properties) = classPlan(of: object.class) { names = properties }
    let keys = PlainKeys(
      object.class, graph.keys(ofShape: object.shape), names, entity: entity, run)
    plainKeys[object.shape] = keys
    return keys
  }
}

extension ExpectedRows {
  /// The uses of the keys of plain objects of one class and shape, found out once for all of them.
  final class PlainKeys: Sendable {
    /// A key that feeds a property.
    struct Use: Sendable {
      /// The position of the key among those of the shape.
      var position: Int
      /// The property, by its place among those of the entity.
      var property: Int
      /// The storage of the property.
      var storage: RelationalLayout.PropertyStorage
      /// The relationships of its name, by their indices.
      var toOne: Int?
      var toMany: Int?
    }

    let classID: ClassID
    let entity: Int
    /// The name of the entity.
    let name: String
    /// The column that holds it, if there is one.
    let discriminator: Int?
    /// The table of the properties for which the entity's own has no room.
    let overflow: Int?
    let uses: [Use]
    /// The uses of keys under which rows or collections can stand.
    let leading: [Use]

    /// - Parameters:
    ///   - classID: The class.
    ///   - keys: The keys of the shape.
    ///   - names: For each key that is read, the property.
    ///   - entity: The entity.
    ///   - run: The run.
    init(
      _ classID: ClassID, _ keys: [String], _ names: [String: String], entity: Int,
      _ run: ExpectedRun
    ) {
      self.classID = classID
      self.entity = entity
      let form = run.plan.layout.entities[entity]
      name = form.name
      discriminator = form.discriminator
      overflow = form.overflow
      var uses: [Use] = []
      var leading: [Use] = []
      for (position, key) in keys.enumerated() where key != "$class" {
        guard let index = names[key].flatMap({ run.index(ofProperty: $0, entity) }) else {
          continue
        }
        let property = run.properties[entity][index]
        let use = Use(
          position: position, property: index, storage: property.storage, toOne: property.toOne,
          toMany: property.toMany)
        uses.append(use)
        if property.leadsAnywhere { leading.append(use) }
      }
      self.uses = uses
      self.leading = leading
    }
  }
}
