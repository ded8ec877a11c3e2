import Support

/// Making one report of several, where each archive has a store of its own.
extension ConversionReport {
  /// Adds what one conversion did.
  package mutating func add(_ other: ConversionReport, store: String) {
    archives += other.archives.map { archive in
      var archive = archive
      if archive.outcome != .rejected, other.storeBytes != nil { archive.store = store }
      return archive
    }
    if let bytes = other.storeBytes { storeBytes = [storeBytes ?? 0, bytes].boundedSum }
    addContent(of: other)
  }

  /// Adds what became of the archives of a shard, whose rows the same store has.
  package mutating func add(shard other: ConversionReport) {
    archives += other.archives
    skipped.add(other.skipped)
    addContent(of: other)
  }

  private mutating func addContent(of other: ConversionReport) {
    addFindings(of: other)
    if let own = other.archivedObjects {
      archivedObjects = [archivedObjects ?? 0, own].boundedSum
    }
    for entity in other.entities { add(entity) }
    collections += other.collections
    collectionValues += other.collectionValues
    collectionLinks += other.collectionLinks
    topLevelValues += other.topLevelValues
    metadataValues += other.metadataValues
    sharedCollections += other.sharedCollections
    unreachableObjects += other.unreachableObjects
    if let own = other.verification { verification = verification?.adding(own) ?? own }
  }

  /// Adds an archive of which no store was made.
  package mutating func add(_ other: ConversionReport, rejected path: String, error: String) {
    archives.append(Archive(path: path, outcome: .rejected, error: error))
    addFindings(of: other)
  }

  private mutating func addFindings(of other: ConversionReport) {
    unlistedLosses.append(
      other.losses, .lossyConversions, to: &losses, before: other.unlistedLosses)
    unlistedErrors.append(
      other.validationErrors, .validationErrors, to: &validationErrors,
      before: other.unlistedErrors)
    unlistedConflicts.append(
      other.conflicts, .conflicts, to: &conflicts, before: other.unlistedConflicts)
    lossCount += other.lossCount
    validationErrorCount += other.validationErrorCount
    conflictCount += other.conflictCount
    var kinds = LossKinds(lossKinds)
    kinds.add(LossKinds(other.lossKinds))
    lossKinds = kinds.list
    modelNotes = (modelNotes + other.modelNotes).uniqued()
    storeNotes = (storeNotes + other.storeNotes).uniqued()
    for view in other.views {
      if let place = views.firstIndex(where: { $0.name == view.name && $0.words == view.words }) {
        views[place].rows = [views[place].rows, view.rows].boundedSum
      } else {
        views.append(view)
      }
    }
    leavesPartsOfStores = leavesPartsOfStores || other.leavesPartsOfStores
    migrations += other.migrations
    unreadKeys = Self.sum(unreadKeys + other.unreadKeys)
    ignoredKeys = Self.sum(ignoredKeys + other.ignoredKeys)
    derivedKeys = Self.sum(derivedKeys + other.derivedKeys)
    // What matches something in one archive is not misspelt.
    if let others = other.unusedNames {
      unusedNames = unusedNames.map { names in names.filter(others.contains) } ?? others
    }
    unmappedClasses = Self.sum(unmappedClasses + other.unmappedClasses)
    unvisitedObjects = Self.sum(unvisitedObjects + other.unvisitedObjects)
    filteredObjects = Self.sum(filteredObjects + other.filteredObjects)
    for omission in other.omissions {
      if let known = omissions.firstIndex(where: { $0.isSameKind(as: omission) }) {
        omissions[known].count = [omissions[known].count, omission.count].boundedSum
      } else {
        omissions.append(omission)
      }
    }
    classesKeptAsObjects = Set(classesKeptAsObjects + other.classesKeptAsObjects).sorted()
    relationshipsSetFromBothSides = Set(
      relationshipsSetFromBothSides + other.relationshipsSetFromBothSides
    ).sorted()
  }

  private static func sum(_ counts: [KeyCount]) -> [KeyCount] {
    var sums: [ImportFindings.ClassKey: Int] = [:]
    for count in counts {
      sums[.init(className: count.className, key: count.key), default: 0] += count.count
    }
    return sums.map { KeyCount($0.key, $0.value) }.sorted()
  }

  private static func sum(_ counts: [ClassCount]) -> [ClassCount] {
    var sums: [String: Int] = [:]
    for count in counts { sums[count.className, default: 0] += count.count }
    return sums.map { ClassCount($0.key, $0.value) }.sorted()
  }

  // MARK: Entities

  private mutating func add(_ other: Entity) {
    guard let place = entities.firstIndex(where: { $0.name == other.name }) else {
      entities.append(other)
      return
    }
    var entity = entities[place]
    entity.archivedClasses += other.archivedClasses.filter { !entity.archivedClasses.contains($0) }
    entity.archivedObjects += other.archivedObjects
    entity.rows += other.rows
    for attribute in other.attributes {
      if let known = entity.attributes.firstIndex(where: { $0.name == attribute.name }) {
        entity.attributes[known].values += attribute.values
        entity.attributes[known].nulls += attribute.nulls
        entity.attributes[known].type = Self.joined(entity.attributes[known].type, attribute.type)
      } else {
        entity.attributes.append(attribute)
      }
    }
    for relationship in other.relationships {
      let known = entity.relationships.firstIndex {
        $0.name == relationship.name && $0.isToMany == relationship.isToMany
      }
      if let known {
        entity.relationships[known].links += relationship.links
        entity.relationships[known].destination = Self.joined(
          entity.relationships[known].destination, relationship.destination)
      } else {
        entity.relationships.append(relationship)
      }
    }
    entities[place] = entity
  }

  /// Names in a list with commas, and those of another that it lacks.
  private static func joined(_ first: String, _ second: String) -> String {
    guard first != second else { return first }
    var names = first.split(separator: ", ").map(String.init)
    names += second.split(separator: ", ").map(String.init).filter { !names.contains($0) }
    return names.joined(separator: ", ")
  }
}

extension VerificationResult {
  /// The result of two comparisons together.
  package func adding(_ other: VerificationResult) -> VerificationResult {
    var sum = self
    sum.valuesCompared += other.valuesCompared
    sum.linksCompared += other.linksCompared
    sum.entriesCompared += other.entriesCompared
    sum.add(differencesOf: other)
    for omission in other.notCompared {
      let known = sum.notCompared.firstIndex {
        ($0.entity, $0.property, $0.reason)
          == (omission.entity, omission.property, omission.reason)
      }
      if let known {
        sum.notCompared[known].count += omission.count
      } else {
        sum.notCompared.append(omission)
      }
    }
    return sum
  }
}
