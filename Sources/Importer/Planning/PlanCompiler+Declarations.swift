import ArchiveReader
import Support

/// The properties that a mapping writes down: they are added to the model, or compared with it.
extension PlanCompiler {
  mutating func declare(_ mapping: AttributeMapping, of draft: EntityDraft, in index: Int) {
    let name = mapping.name.value
    let hierarchy = self.hierarchy
    let sourceType = type(of: mapping, draft)
    checkConstants(of: mapping, sourceType, hierarchy.attribute(name, of: index, in: model))
    if let known = hierarchy.attribute(name, of: index, in: model) {
      if given != nil, extensions.migration == nil, mapping.conversions.isEmpty,
        mapping.type == nil,
        !ValueCoercion.canCoerce(kindsFrom: sourceType, to: known.type)
      {
        note(
          .noConversion, mapping.name.mark, "\(draft.entity).\(name)",
          expected: "\(sourceType.rawValue) to \(known.type.rawValue)")
      } else if let type = mapping.type, given != nil, type != known.type {
        guard known.type == .transformable else {
          note(
            .contradictsModel, mapping.name.mark, "\(draft.entity).\(name)",
            expected: known.type.rawValue)
          return
        }
        change(name, index) { $0.type = type }
      } else if given != nil, mapping.keepsNegativeZero {
        change(name, index) { $0.holdsNegativeZero = true }
      } else if given == nil {
        change(name, index) {
          $0.type = $0.type.common(with: mapping.type ?? sourceType)
          $0.holdsNegativeZero = $0.holdsNegativeZero || mapping.keepsNegativeZero
        }
      }
      agree(mapping, of: draft, in: index)
      return
    }
    guard given == nil || mapping.type != nil else {
      let names = hierarchy.ancestors(of: index).flatMap {
        model.entities[$0].attributes.map(\.name)
      }
      note(.unknownProperty, mapping.name.mark, "\(draft.entity).\(name)", among: names)
      return
    }
    let key = mapping.source.value.key ?? ArchivedName.text(name)
    model.entities[index].attributes.append(
      Attribute(
        name: name, key: key, type: mapping.type ?? sourceType,
        isOptional: mapping.isOptional ?? true,
        defaultValue: mapping.defaultValue?.attributeDefault, minimum: mapping.minimum,
        maximum: mapping.maximum, pattern: mapping.pattern?.value,
        holdsNegativeZero: mapping.keepsNegativeZero
          || mapping.type == nil && mapping.conversions.isEmpty && holdsNegativeZero(key, draft)))
  }

  /// Refuses what is written down for an attribute and is no value of its type.
  private mutating func checkConstants(
    of mapping: AttributeMapping, _ sourceType: AttributeType, _ known: Attribute?
  ) {
    let type = mapping.type ?? known?.type ?? sourceType
    func check(_ value: ImportValue, _ mark: SourceMark?) {
      guard case .refused = ValueCoercion.coerce(value, to: type) else { return }
      note(
        .wrongKind, mark ?? mapping.name.mark, value.kind,
        expected: "a value of the type \(type.rawValue)")
    }
    if case .constant(let value) = mapping.source.value, mapping.conversions.isEmpty,
      mapping.type != nil || known != nil
    {
      check(value, mapping.source.mark)
    }
    if let value = mapping.defaultValue, given == nil { check(value, nil) }
  }

  private mutating func change(_ name: String, _ index: Int, _ body: (inout Attribute) -> Void) {
    for ancestor in hierarchy.ancestors(of: index) {
      guard
        let place = model.entities[ancestor].attributes.firstIndex(where: { $0.name == name })
      else { continue }
      body(&model.entities[ancestor].attributes[place])
      return
    }
  }

  private func holdsNegativeZero(_ key: String, _ draft: EntityDraft) -> Bool {
    showingClasses(draft).contains { source in
      inferredEntity(of: source)?.attributes.contains { $0.key == key && $0.holdsNegativeZero }
        ?? false
    }
  }

  mutating func declare(
    _ mapping: RelationshipMapping, of draft: EntityDraft, in index: Int
  ) {
    let name = mapping.name.value
    let hierarchy = self.hierarchy
    for destination in mapping.destinations where entityIndex(destination.value) == nil {
      note(
        .unknownEntity, destination.mark, destination.value, among: model.entities.map(\.name))
    }
    if let key = mapping.source.value.key {
      for source in draft.sources {
        let holder = holder(ofRelationship: name, index) ?? index
        origins[PropertyOrigin(className: source, key: key), default: []].append(
          PropertyName(entity: model.entities[holder].name, name: name))
      }
    }
    let other = given == nil ? nil : hierarchy.relationship(name, of: index, in: model)
    if let known = hierarchy.relationship(
      name, of: index, in: model, isToMany: mapping.isToMany) ?? other
    {
      agree(mapping, with: known, of: draft, in: index)
      if given != nil, mapping.keepsCount { keepCount(of: name, index) }
      checkSplit(mapping, draft, index)
      return
    }
    guard given == nil || mapping.isToMany != nil else {
      let names = hierarchy.ancestors(of: index).flatMap {
        model.entities[$0].relationships.map(\.name)
      }
      note(.unknownProperty, mapping.name.mark, "\(draft.entity).\(name)", among: names)
      return
    }
    let found = found(mapping, draft)
    let destinations =
      mapping.destinations.isEmpty
      ? found?.destinations.flatMap(finalEntities).uniqued() ?? []
      : mapping.destinations.map(\.value)
    guard !destinations.isEmpty else {
      note(.unknownDestination, mapping.name.mark, "\(draft.entity).\(name)")
      return
    }
    let isToMany = mapping.isToMany ?? (mapping.split != nil ? true : found?.isToMany ?? false)
    model.entities[index].relationships.append(
      Relationship(
        name: name, key: found?.key ?? ArchivedName.text(name), destinations: destinations,
        isToMany: isToMany,
        isOrdered: mapping.isOrdered ?? (mapping.split == nil && found?.isOrdered == true),
        inverse: mapping.inverse?.value, isOptional: mapping.isOptional ?? true,
        minimumCount: mapping.minimumCount ?? 0, maximumCount: mapping.maximumCount,
        deleteRule: mapping.deleteRule ?? .nullify,
        distinguishesEmpty: mapping.keepsCount
          || mapping.isToMany == nil && found?.distinguishesEmpty == true))
    checkSplit(mapping, draft, index)
  }

  private mutating func keepCount(of relationship: String, _ index: Int) {
    for ancestor in hierarchy.ancestors(of: index) {
      for place in model.entities[ancestor].relationships.indices
      where model.entities[ancestor].relationships[place].name == relationship {
        model.entities[ancestor].relationships[place].distinguishesEmpty = true
      }
    }
  }

  /// What the archives show under the key of a relationship.
  private func found(_ mapping: RelationshipMapping, _ draft: EntityDraft) -> Relationship? {
    guard let key = mapping.source.value.key else { return nil }
    let all = showingClasses(draft).compactMap { source in
      foundEntity(of: source).flatMap { found in
        seenThrough(found, source).relationships.first { $0.key == key }
      }
    }
    guard var merged = all.first else { return nil }
    for other in all.dropFirst() {
      merged.destinations = (merged.destinations + other.destinations).uniqued()
      merged.isToMany = merged.isToMany || other.isToMany
      merged.isOrdered = merged.isOrdered || other.isOrdered
    }
    return merged
  }

  /// Declares the attribute that the parts of a split go to.
  private mutating func checkSplit(
    _ mapping: RelationshipMapping, _ draft: EntityDraft, _ index: Int
  ) {
    guard let split = mapping.split else { return }
    let hierarchy = self.hierarchy
    let declared = hierarchy.relationship(mapping.name.value, of: index, in: model)
    guard let destination = declared?.destinations.first.flatMap(entityIndex) else { return }
    guard hierarchy.attribute(split.attribute.value, of: destination, in: model) == nil else {
      return
    }
    guard given == nil else {
      note(
        .unknownProperty, split.attribute.mark,
        "\(model.entities[destination].name).\(split.attribute.value)",
        among: model.entities[destination].attributes.map(\.name))
      return
    }
    model.entities[destination].attributes.append(
      Attribute(name: split.attribute.value, type: .string, isOptional: false))
  }

  mutating func declare(
    _ mapping: CollectionMapping, of draft: EntityDraft, in index: Int
  ) {
    var found: ValueCollection?
    for source in showingClasses(draft) {
      guard let shown = inferredEntity(of: source).map({ seenThrough($0, source) }),
        let form = shown.collections.first(where: { $0.key == mapping.key.value })
          ?? shown.relationships.first(where: { $0.key == mapping.key.value && $0.isToMany })
          .map(ValueCollection.init)
      else { continue }
      if found == nil { found = form } else { found?.merge(form) }
    }
    // Where the archives at hand hold nothing, and nothing is said, there is no table to make.
    guard var form = mapping.form ?? found else { return }
    if let found {
      form.makeRoom(for: found)
      if mapping.isOrdered == nil { form.isOrdered = found.isOrdered }
    }
    form.name = mapping.name.value
    form.key = mapping.key.value
    form.keyType = form.keyType?.ofElements(withPlainTexts: true)
    form.valueType = form.valueType?.ofElements(withPlainTexts: true)
    // A model has no word for a table of values: what it calls transformable is one then.
    if given != nil {
      model.entities[index].attributes.removeAll {
        $0.name == form.name && $0.type == .transformable
      }
    }
    merge(form, into: index)
  }
}
