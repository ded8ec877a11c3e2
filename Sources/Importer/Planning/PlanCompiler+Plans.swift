extension PlanCompiler {
  /// What one pass runs.
  mutating func passPlan(
    _ index: Int, _ drafts: [EntityDraft], _ hierarchy: EntityHierarchy, _ shapes: [EntityShape],
    _ relationships: [StoredRelationship], avoidsPlainRows: Bool
  ) -> ImportPlan.Pass {
    var pass = ImportPlan.Pass(
      name: index == 0 ? nil : mapping.passes[index - 1].name.value, classes: [:])
    for draft in drafts {
      guard var plan = entityPlan(draft, hierarchy, shapes, relationships) else { continue }
      plan.shareKeys(relationships)
      // Entity mappings without classes still stand for their entity.
      for source in draft.sources { add(pass.entities.count, of: source, to: &pass) }
      pass.entities.append(plan)
    }
    for (name, key) in valueClasses { pass.classes[name] = .value(key: key) }
    pass.hasValueClasses = !valueClasses.isEmpty
    for name in ignoredClasses { pass.classes[name] = .ignored }
    for (index, hook) in extensions.values.enumerated() {
      for name in hook.archivedNames.flatMap({ names.archived($0) }) {
        pass.classes[name] = .valueHook(index)
      }
    }
    pass.decoding = extensions.decoding
    // Hooks belong to the first pass; later ones are the mapping's.
    if index == 0 { addHooks(to: &pass, shapes) }
    for found in profile.classes where found.count > 0 && pass.classes[found.name] == nil {
      pass.classes[found.name] = .unmapped
    }
    if !avoidsPlainRows {
      findDirectClasses(&pass, hierarchy, shapes, relationships)
    }
    return pass
  }

  private func add(_ plan: Int, of className: String, to pass: inout ImportPlan.Pass) {
    if case .mapped(let others) = pass.classes[className] {
      pass.classes[className] = .mapped(others + [plan])
    } else {
      pass.classes[className] = .mapped([plan])
    }
  }

  private mutating func addHooks(to pass: inout ImportPlan.Pass, _ shapes: [EntityShape]) {
    for (index, hook) in extensions.hooks.enumerated() {
      for name in hook.archivedNames.flatMap({ names.archived($0) }) {
        var entity = drafts[0].first { $0.sources.contains(name) }.flatMap {
          entityIndex($0.entity)
        }
        // Where there is none, objects of the class are refused.
        if let entityName = hook.entityName { entity = entityIndex(entityName) }
        if let draft = drafts[0].first(where: {
          $0.sources.contains(name) && $0.mapping.policy != nil
        }) {
          note(.hookAndPolicy, draft.mapping.policy?.mark, name)
        }
        pass.classes[name] = .hook(index, entity: entity)
      }
    }
  }

  // MARK: Entity mappings

  private mutating func entityPlan(
    _ draft: EntityDraft, _ hierarchy: EntityHierarchy, _ shapes: [EntityShape],
    _ relationships: [StoredRelationship]
  ) -> ImportPlan.EntityPlan? {
    let block = draft.mapping
    guard let entity = hierarchy.index(of: draft.entity) else { return nil }
    let shape = shapes[entity]
    let name = block.name?.value ?? "\(draft.sources.first ?? "")To\(draft.entity)"
    var plan = ImportPlan.EntityPlan(name: name, entity: entity, sources: draft.sources)
    plan.filter = block.filter?.value
    plan.unread = Set(block.unread.map(\.value)).union(keysOfIgnored(by: draft))
    for mapping in draft.attributes {
      guard let attribute = shape.attributeIndices[mapping.name.value] else { continue }
      var conversion: ValueConversion?
      if !mapping.conversions.isEmpty {
        do {
          conversion = try ValueConversion(mapping.conversions.map(\.value))
        } catch {
          note(
            .badConversion, mapping.conversions.first?.mark, mapping.name.value,
            expected: "\(error)")
        }
      } else if archivesTransformables, mapping.source.value.key != nil,
        shape.attributes[attribute].attribute.type == .transformable
      {
        conversion = try? ValueConversion([.archive])
      } else if unarchivesTransformables, let key = mapping.source.value.key,
        shape.attributes[attribute].attribute.type == .transformable,
        draft.sources.allSatisfy({ mayHoldArchives(key, ofClass: $0) })
      {
        conversion = try? ValueConversion([.unarchive])
      }
      plan.attributes.append(
        ImportPlan.AttributePlan(
          attribute: attribute, source: mapping.source.value, conversion: conversion))
    }
    for mapping in draft.relationships {
      if let key = mapping.keyWithoutRoom(shape) {
        plan.overflowing[key] = mapping.name.value
        continue
      }
      guard
        let relationship = shape.relationship(
          mapping.name.value, isToMany: mapping.isToMany, among: relationships)
      else { continue }
      plan.relationships.append(
        ImportPlan.RelationshipPlan(
          relationship: relationship, source: mapping.source.value,
          split: splitPlan(mapping, draft, hierarchy, shapes),
          entityMapping: mapping.entityMapping?.value,
          dropsOrder: dropsOrder(mapping, relationships[relationship], draft)))
    }
    for mapping in draft.collections {
      guard let collection = shape.collections[mapping.name.value] else { continue }
      plan.collections.append(
        ImportPlan.CollectionPlan(
          name: mapping.name.value, key: mapping.key.value,
          dropsOrder: !collection.isOrdered && hasOrder(mapping.key.value, draft)))
    }
    for name in block.identity {
      guard let attribute = shape.attributeIndices[name.value] else {
        note(
          .unknownProperty, name.mark, "\(draft.entity).\(name.value)",
          among: Array(shape.attributeIndices.keys))
        continue
      }
      plan.identity.append(attribute)
    }
    if let migration = extensions.migration {
      guard let traits = block.name.flatMap({ Int($0.value) }).map({ migration.entities[$0] })
      else { return plan }
      (plan.policy, plan.isStaged) = (traits.makePolicy, traits.isStaged)
      return plan
    }
    if let policy = block.policy {
      if let type = extensions.policies[policy.value] { plan.policy = { type.init() } }
      if plan.policy == nil {
        note(.unknownPolicy, policy.mark, policy.value, among: Array(extensions.policies.keys))
        return plan
      }
    }
    checkFunctions(plan.policy, draft)
    return plan
  }

  /// The keys of a draft's classes under which there is nothing but objects of ignored classes.
  private func keysOfIgnored(by draft: EntityDraft) -> Set<String> {
    guard !ignoredClasses.isEmpty else { return [] }
    var keys: Set<String> = []
    var others: Set<String> = []
    for source in draft.sources.compactMap(profile.knownIndex) {
      for property in profile.classes[source].properties {
        let targets = property.objectTargets.map { profile.classes[$0].name }
        if !targets.isEmpty, targets.allSatisfy(ignoredClasses.contains) {
          keys.insert(property.key)
        } else {
          others.insert(property.key)
        }
      }
    }
    return keys.subtracting(others).subtracting(
      draft.attributes.flatMap(\.source.value.keys))
  }

  /// Notes the functions that expressions call, but the policy does not have.
  private mutating func checkFunctions(
    _ policy: (() -> any MigrationPolicy)?, _ draft: EntityDraft
  ) {
    for mapping in draft.attributes {
      guard case .expression(let expression) = mapping.source.value else { continue }
      let calls = expression.functions.filter { $0.receiver == "entityPolicy" }
      guard !calls.isEmpty else { continue }
      let known = policy.map { Array($0().functions.keys) } ?? []
      for call in calls where !known.contains(call.selector) {
        note(.unknownFunction, mapping.source.mark, call.selector, among: known)
      }
    }
  }

  /// Whether data was found under a key of a class, or nothing: beside it may be values that need no
  /// conversion, which binary stores have, but no rows.
  private func mayHoldArchives(_ key: String, ofClass name: String) -> Bool {
    guard let found = inferredEntity(of: name) else { return true }
    return !found.relationships.contains { $0.key == key }
      && !found.collections.contains { $0.key == key }
      && found.attributes.allSatisfy {
        $0.key != key || [.binary, .unknown, .mixed].contains($0.type)
      }
  }

  private func splitPlan(
    _ mapping: RelationshipMapping, _ draft: EntityDraft, _ hierarchy: EntityHierarchy,
    _ shapes: [EntityShape]
  ) -> ImportPlan.SplitPlan? {
    guard let split = mapping.split, let entity = hierarchy.index(of: draft.entity),
      let declared = hierarchy.relationship(mapping.name.value, of: entity, in: model),
      let destination = (mapping.destinations.first?.value ?? declared.destinations.first)
        .flatMap({ hierarchy.index(of: $0) }),
      let attribute = shapes[destination].attributeIndices[split.attribute.value]
    else { return nil }
    return ImportPlan.SplitPlan(rule: split, entity: destination, attribute: attribute)
  }
}

/// The check of key paths.
extension PlanCompiler {
  /// Refuses a key path into values of Foundation's classes: they are one value each, without keys.
  ///
  /// Where a key holds other things as well, it depends on the object: see `ImportSession`.
  mutating func checkPath(
    _ source: Marked<ValueSource>, _ name: Marked<String>, _ draft: EntityDraft
  ) {
    guard case .keyPath(let path) = source.value, path.count > 1 else { return }
    for className in draft.sources {
      guard let count = keysToValue(path[...], in: className) else { continue }
      note(
        .keysOfValue, source.mark ?? name.mark, path.joined(separator: "."),
        expected: path[..<count].joined(separator: "."))
      return
    }
  }

  /// The number of keys of a path that lead to values of Foundation's classes, if others follow;
  /// nil if none do.
  private func keysToValue(_ path: ArraySlice<String>, in className: String) -> Int? {
    guard let key = path.first, path.count > 1, let entity = inferredEntity(of: className) else {
      return nil
    }
    let relationships = entity.relationships.filter { $0.key == key }
    let collection = entity.collections.first { $0.key == key }
    if let attribute = entity.attributes.first(where: { $0.key == key }) {
      let isAlone = relationships.isEmpty && collection == nil
      return isAlone && attribute.type.hasNoKeys ? 1 : nil
    }
    if let collection {
      // The next key of the path is one of the dictionary's.
      guard relationships.isEmpty, collection.keyType == nil, !collection.hasReferencesAsValues,
        collection.valueType?.hasNoKeys == true
      else { return nil }
      return 1
    }
    let targets = relationships.flatMap(\.destinations).compactMap { name in
      inferredEntity(named: name)?.archivedClasses.first
    }
    let counts = targets.map { keysToValue(path.dropFirst(), in: $0) }
    guard let first = counts.first, let first, counts.allSatisfy({ $0 == first }) else {
      return nil
    }
    return first + 1
  }
}

extension AttributeType {
  /// True if its values are those of Foundation's classes, of which no key can be asked for.
  fileprivate var hasNoKeys: Bool { self == .json || self == .attributedText }
}
