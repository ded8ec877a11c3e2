import ArchiveReader
import Foundation
import Importer
import Support

/// Filling the report in.
extension ConversionReport {
  /// Adds what a pass made of an archive.
  package mutating func add(_ own: ImportCounts) {
    if counts == nil { counts = ImportCounts(entityCount: own.entities.count) }
    counts?.add(own)
  }

  package mutating func add(_ profile: SchemaProfile, plan: ImportPlan, claimed: Set<String>) {
    unreachableObjects = profile.unreachedObjects
    let others = profile.unreadKeys.map { key, count in
      KeyCount(ImportFindings.ClassKey(className: key.owner, key: key.key), count)
    }
    unreadKeys = (unreadKeys + others).sorted()
    classesKeptAsObjects = profile.nonconformingClasses.subtracting(claimed).sorted()
    collections = counts?.collections ?? 0
    collectionValues = counts?.collectionValues ?? 0
    collectionLinks = counts?.collectionLinks ?? 0
    topLevelValues = counts?.topLevelValues ?? 0
    let model = plan.model
    var archivedObjects = Array(repeating: 0, count: model.entities.count)
    for found in profile.classes {
      for number in plan.entities(ofClass: found.name) { archivedObjects[number] += found.count }
    }
    // The profile is of all archives, those included that an earlier run converted.
    let isContinued = hasArchive {
      archives[$0].outcome == .skipped && archives[$0].duplicateOf == nil
    }
    if !isContinued {
      self.archivedObjects =
        profile.classes.filter { !plan.ignores(className: $0.name) }.map(\.count).boundedSum
      unvisitedObjects = profile.classes.compactMap { found in
        guard !plan.ignores(className: found.name) else { return nil }
        let visited = visitedObjects[found.name]?.values.max() ?? 0
        return visited < found.count ? ClassCount(found.name, found.count - visited) : nil
      }.sorted()
    }
    for number in model.entities.indices {
      let own = counts?.entities[number] ?? .init()
      let entity = plan.hierarchy.withInherited(number, in: model)
      entities.append(Entity(entity, archivedObjects: archivedObjects[number], counts: own))
      sharedCollections += own.properties.values.reduce(0) { $0 + $1.sharedCollections }
    }
  }

  /// Takes the counts of rows, values and links from the store itself, where hooks, mappings and
  /// inverses had a part in them.
  package mutating func count(_ store: StoreWriter, _ plan: ImportPlan) throws(StoreError) {
    counts = try StoreCounts.counts(store, plan)
  }

  /// The first entity of which a store has other rows, values or links than the report says; nil if
  /// there is none.
  package func entityWithOtherCounts(
    in store: StoreWriter, _ plan: ImportPlan
  ) throws(StoreError) -> String? {
    let found = try StoreCounts.counts(store, plan)
    for (number, told) in entities.enumerated() where number < plan.model.entities.count {
      let entity = plan.hierarchy.withInherited(number, in: plan.model)
      let own = Entity(
        entity, archivedObjects: told.archivedObjects, counts: found.entities[number])
      guard own.rows == told.rows, own.attributes.map(\.values) == told.attributes.map(\.values),
        own.relationships.map(\.links) == told.relationships.map(\.links)
      else { return told.name }
    }
    return nil
  }

  /// Adds what an import noticed.
  package mutating func add(_ findings: ImportFindings) {
    addErrors(of: findings)
    conflicts = findings.conflicts
    conflictCount = findings.conflictCount
    unreadKeys = findings.unreadKeys.map { KeyCount($0.key, $0.value) }.sorted()
    ignoredKeys = findings.ignoredKeys.map { KeyCount($0.key, $0.value) }.sorted()
    derivedKeys = findings.derivedKeys.map { KeyCount($0.key, $0.value) }.sorted()
    visitedObjects = findings.visitedObjects
    unmappedClasses = findings.unmappedObjects.map { ClassCount($0.key, $0.value) }.sorted()
    filteredObjects = findings.filteredObjects.map { ClassCount($0.key, $0.value) }.sorted()
    relationshipsSetFromBothSides = findings.setFromBothSides.sorted()
    omissions = findings.omissions
    (losses, lossCount) = (findings.losses, findings.lossCount)
    lossKinds = findings.lossKinds.list
    unlistedConflicts = findings.unlistedConflicts
    unlistedLosses = findings.unlistedLosses
  }

  /// Lists errors.
  package mutating func addErrors(of findings: ImportFindings) {
    validationErrors += findings.errors.map(BrokenRule.init)
    validationErrorCount += findings.errorCount
    unlistedErrors.append(findings.unlistedErrors)
  }

  /// Lists the archives that an attempt found to break the rules of the model.
  package mutating func reject(_ findings: ImportFindings) {
    addErrors(of: findings)
    for (path, (first, count)) in findings.failures.sorted(by: { $0.key < $1.key }) {
      let more = count > 1 ? " (and \(count - 1) more)" : ""
      archives.append(Archive(path: path, outcome: .rejected, error: "\(first)\(more)"))
    }
  }

  /// Lists files with the same bytes as archives that break the rules.
  package mutating func reject(duplicates: [String: String], of findings: ImportFindings) {
    for (path, first) in duplicates.sorted(by: { $0.key < $1.key })
    where findings.failures[first] != nil {
      let error = archives.last { $0.path == first }?.error
      archives.append(Archive(path: path, outcome: .rejected, error: error))
    }
  }

  /// Takes the size of a store that is there.
  package mutating func noteStore() throws(StoreError) {
    do throws(SystemError) {
      storeBytes = Int(try FileSystem.status(of: storePath).st_size)
    } catch {
      throw StoreError(.unreadable, path: storePath, reason: error.words)
    }
  }

  /// Takes the digest of the store, as the file is now.
  ///
  /// It is not taken by itself, since a large store takes a while to read.
  ///
  /// - Throws: `ArchiveError` if the file cannot be read.
  public mutating func digestStore() throws(ArchiveError) {
    guard storeBytes != nil else { return }
    let store = try ByteStorage(contentsOf: storePath, leases: true)
    note(FileDigest(of: store))
    try store.check()
  }

  /// Takes over a digest of the store that may be in the making.
  mutating func note(_ digest: FileDigest) {
    (storeBytes, storeSHA256) = (digest.byteCount, digest.text)
  }
}

extension ConversionReport.Entity {
  fileprivate init(_ entity: Entity, archivedObjects: Int, counts: ImportCounts.EntityCounts) {
    name = entity.name
    archivedClasses = entity.archivedClasses
    self.archivedObjects = archivedObjects
    rows = counts.rows
    attributes = entity.attributes.map { attribute in
      let own = counts.properties[attribute.name] ?? .init()
      return .init(
        name: attribute.name, key: attribute.key, type: attribute.type.rawValue,
        values: own.values, nulls: own.nulls)
    }
    // A key can hold plain values in some objects and a collection of them in others: its counts
    // are given once.
    let plainNames = Set(entity.attributes.map(\.name))
    attributes += entity.collections.filter { !plainNames.contains($0.name) }.map { collection in
      let own = counts.properties[collection.name] ?? .init()
      let type = collection.valueType?.rawValue ?? "reference"
      return .init(
        name: collection.name, key: collection.key, type: "collection of \(type)",
        values: own.values, nulls: own.nulls)
    }
    relationships = entity.relationships.map { relationship in
      let own = counts.properties[relationship.name] ?? .init()
      return .init(
        name: relationship.name, destination: relationship.destinations.joined(separator: ", "),
        isToMany: relationship.isToMany, inverse: relationship.inverse,
        links: relationship.isToMany ? own.memberLinks : own.links)
    }
    let toManyNames = Set(entity.relationships.filter(\.isToMany).map(\.name))
    relationships += entity.collections
      .filter { $0.hasReferencesAsValues && !toManyNames.contains($0.name) }
      .map { collection in
        .init(
          name: collection.name, destination: "", isToMany: true, inverse: nil,
          links: counts.properties[collection.name]?.memberLinks ?? 0)
      }
  }
}
