import ArchiveReader

extension ImportSession {
  /// Runs the hook of an object's class.
  func runHook(_ number: Int, _ entity: Int?, on object: ArchivedObject) throws {
    let coder = ImportCoder(object, in: self)
    let handedOut = entity.map { reserve(object.uid, $0) }
    context.handedOut = handedOut
    defer { context.handedOut = nil }
    let returned: DestinationInstance?
    do {
      returned = try reading(object, isInHook: true) {
        let row = try pass.hooks[number].insert(from: coder)
        if let error = coder.error { throw error }
        return row
      }
    } catch let error as StoreError {
      throw error
    } catch {
      context.discard()
      addHookError(ImportFindings.words(of: error), entity)
      return
    }
    noteUnread(object, read: coder.fields.read)
    unread.addIgnored(object, coder.ignored)
    if returned == nil {
      context.report.filteredObjects[coder.className, default: 0] += 1
    }
    if let handedOut {
      replace(handedOut, by: returned?.reference)
    } else if returned != nil {
      addHookError("it made a row, but references to the object lead nowhere: set entityName", nil)
    }
    if let returned {
      try noteOrigin(of: returned.reference, object)
      if context.associations.isKept {
        context.associations.add(
          SourceKey(archiveID, object.uid), returned.reference, coder.className)
      }
    }
    try context.flush()
  }

  /// Lets references to an object lead to the row that its hook or policy made of it.
  func replace(_ handedOut: RowReference, by row: RowReference?) {
    let table = context.entities[handedOut.entity].table
    if let row, context.entities[row.entity].table != table {
      addHookError(
        "references to the object lead to rows of this entity, but it made one of "
          + "'\(context.entities[row.entity].name)': set entityName", handedOut.entity)
      return
    }
    let isTaken = context.handedOut == nil
    if isTaken, row?.id != handedOut.id {
      addHookError(
        "the first row that was inserted is not the one that was returned", handedOut.entity)
      return
    }
    context.replace(handedOut, by: row)
  }

  private func addHookError(_ words: String, _ entity: Int?) {
    context.report.add(
      ValidationError(
        .hookFailed, entity: entity.map { context.entities[$0].name }, detail: words), at: place)
  }

  /// Runs the hook of the nearest superclass.
  func runSuperclassHook(_ coder: ImportCoder) throws -> DestinationInstance? {
    let names = coder.classHierarchy
    for (position, name) in names.enumerated() where position > coder.hierarchyPosition {
      guard case .hook(let number, _) = pass.plan(ofClass: name) else { continue }
      let inner = ImportCoder(coder.object, in: self)
      inner.hierarchyPosition = position
      return try coder.lend(to: inner) { try pass.hooks[number].insert(from: inner) }
    }
    throw ImportError(.noSuperclassHook, name: coder.className)
  }

  /// Runs the hook of a value class.
  func runValueHook(
    _ hook: any ImportValueHook.Type, on object: ArchivedObject, depth: Int
  ) throws -> ImportValue {
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
        addHookError(ImportFindings.words(of: error), nil)
        return .null
      }
    }
  }

  /// The entity that has the objects of a class as rows.
  func entityName(of id: ClassID) -> String? {
    let record = importer.reader.classes[id.index]
    guard let plan = pass.classes[record.name] else { return nil }
    return switch plan {
    case .plain(let entity, _), .hook(_, let entity?): context.entities[entity].name
    default: nil
    }
  }
}
