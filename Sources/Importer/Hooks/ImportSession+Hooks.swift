import ArchiveReader

extension ImportSession {
  /// Runs the hook of an object's class.
  func runHook(_ index: Int, _ entity: Int?, on object: GraphObject) throws {
    let context = context
    var coder = takeCoder(for: object)
    let handedOut = entity.map { reserve(object.uid, $0) }
    context.handedOut = handedOut
    defer { context.handedOut = nil }
    var returned: RowInstance?
    do {
      returned = try reading(object, isInHook: true) {
        if entity == nil, let name = extensions.hooks[index].entityName {
          _ = try context.entityIndex(name)
        }
        let row = try extensions.hooks[index].insert(from: coder)?.rowInstance
        if let error = coder.error { throw error }
        return row
      }
    } catch let error as StoreError {
      throw error
    } catch {
      context.pending.discard()
      addHookError(
        "\(extensions.hooks[index]): \(ImportError.words(of: error))", entity)
      return
    }
    try context.mergeByIdentity()
    noteUnread(object, read: coder.fields.read)
    if !coder.ignored.isEmpty { unread.addIgnored(object, coder.ignored) }
    if returned == nil {
      context.report.filteredObjects[coder.className, default: 0] += 1
    }
    if let handedOut {
      replace(handedOut, by: returned?.reference)
    } else if returned != nil {
      addHookError(
        "it created a row, but references to the object lead nowhere: set entityName", nil)
    }
    if let returned {
      try noteOrigin(of: returned.reference, object)
      if context.associations.isKept {
        context.associations.add(
          SourceKey(archiveID, object.uid), returned.reference, coder.className)
      }
    }
    try context.flush()
    reuse(&coder)
    if var row = returned.take() { context.pending.reuse(&row) }
  }

  // MARK: Coders

  /// A coder for an object: one whose hook has returned, if there is one for objects of the shape.
  private func takeCoder(for object: GraphObject) -> ImportCoder {
    if object.shape < spareCoders.count, let spare = spareCoders[object.shape].take() {
      spare.begin(object)
      return spare
    }
    return ImportCoder(object, in: self, isReused: object.shape < Self.maxSpareCoders)
  }

  /// Lets the next object of the same shape have a coder, unless somebody has kept it.
  private func reuse(_ coder: inout ImportCoder) {
    let shape = coder.object.shape
    guard shape < Self.maxSpareCoders, isKnownUniquelyReferenced(&coder) else { return }
    while spareCoders.count <= shape { spareCoders.append(nil) }
    spareCoders[shape] = coder
  }

  /// Lets go of the coders that wait for others to take their place: each keeps the session.
  func dropSpareCoders() { spareCoders = [] }

  /// Lets references to an object lead to the row that its hook or policy made of it.
  func replace(_ handedOut: RowReference, by row: RowReference?) {
    if row == handedOut, context.handedOut == nil { return }
    // A row of the same identity may have taken its place already.
    if let row, context.resolved(handedOut) == row { return }
    if let row, !context.plan.hierarchy.isKind(row.entity, of: handedOut.entity) {
      addHookError(
        "references to the object are to rows of this entity, but it created one of "
          + "'\(context.entities[row.entity].name)': set entityName", handedOut.entity)
      return
    }
    let isTaken = context.handedOut == nil
    if isTaken, row?.id != handedOut.id {
      addHookError(
        "the first inserted row is not the one returned", handedOut.entity)
      return
    }
    context.replace(handedOut, by: row)
  }

  private func addHookError(_ words: String, _ entity: Int?) {
    context.report.add(
      ValidationError(
        .hookFailed, entity: entity.map { context.entities[$0].name }, detail: words), at: location)
  }

  /// Runs the hook of the nearest superclass.
  func runSuperclassHook(_ coder: ImportCoder) throws -> DestinationInstance? {
    let names = coder.classHierarchy
    for (position, name) in names.enumerated() where position > coder.hierarchyPosition {
      guard case .hook(let index, _) = pass.plan(ofClass: name) else { continue }
      let inner = ImportCoder(coder.object, in: self)
      inner.hierarchyPosition = position
      return try coder.lend(to: inner) { try extensions.hooks[index].insert(from: inner) }
    }
    throw ImportError(.noSuperclassHook, name: coder.className)
  }

  /// Runs the hook of a value class.
  func runValueHook(
    _ index: Int, on object: GraphObject, depth: Int
  ) throws -> ImportValue {
    let hook = extensions.values[index]
    // The row that waits for the object that holds the value is not for the hook to insert.
    let handedOut = context.handedOut
    context.handedOut = nil
    defer { context.handedOut = handedOut }
    let coder = ImportCoder(object, in: self, depth: depth)
    return try reading(object, isInHook: true) {
      defer { noteValueRead(object, coder.fields.read) }
      do {
        let value = try hook.value(from: coder)
        if let error = coder.error { throw error }
        return value
      } catch let error as StoreError {
        throw error
      } catch {
        addHookError("\(hook): \(ImportError.words(of: error))", nil)
        return .null
      }
    }
  }

  /// The entity that has the objects of a class as rows, by its index.
  ///
  /// - Throws: `ImportError` if it can have none.
  func entity(of id: ClassID) throws(ImportError) -> Int? {
    if id.index < entitiesOfClasses.count, entitiesOfClasses[id.index] >= 0 {
      return entitiesOfClasses[id.index]
    }
    let name: String
    switch pass.classes[graph.classes[id.index].name] {
    case .plain(let entity, _), .hook(_, let entity?): name = context.entities[entity].name
    default: return nil
    }
    let entity = try context.entityIndex(name)
    while entitiesOfClasses.count <= id.index { entitiesOfClasses.append(-1) }
    entitiesOfClasses[id.index] = entity
    return entity
  }
}
