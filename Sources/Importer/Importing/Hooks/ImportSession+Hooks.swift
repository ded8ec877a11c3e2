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
        try pass.hooks[number].insert(from: coder)
      }
    } catch let error as ArchiveError {
      throw error
    } catch let error as StoreError {
      throw error
    } catch {
      context.report.add(
        ValidationError(
          .hookFailed, entity: entity.map { context.entities[$0].name },
          detail: ImportFindings.words(of: error)),
        at: place)
      return
    }
    noteUnread(object, read: coder.read.words)
    if returned == nil {
      context.report.filteredObjects[coder.className, default: 0] += 1
    }
    if let handedOut { replace(handedOut, by: returned?.reference) }
    if let returned {
      context.associations.add(
        SourceKey(archiveID, object.uid), returned.reference, coder.className)
    }
    try context.flush()
  }

  /// Lets references to an object lead to the row that its hook or policy made of it.
  func replace(_ handedOut: RowReference, by row: RowReference?) {
    let isTaken = context.handedOut == nil
    if isTaken, row?.id != handedOut.id {
      context.report.add(
        ValidationError(
          .hookFailed, entity: context.entities[handedOut.entity].name,
          detail: "the first row that was inserted is not the one that was returned"), at: place)
      return
    }
    context.replace(handedOut, by: row)
  }

  /// Runs the hook of the nearest superclass.
  func runSuperclassHook(_ coder: ImportCoder) throws -> DestinationInstance? {
    let names = coder.classHierarchy
    for (position, name) in names.enumerated() where position > coder.hierarchyPosition {
      guard case .hook(let number, _) = pass.classes[name] ?? .unmapped else { continue }
      let inner = ImportCoder(coder.object, in: self)
      inner.hierarchyPosition = position
      let returned = try pass.hooks[number].insert(from: inner)
      coder.merge(inner)
      return returned
    }
    throw ImportError(.noSuperclassHook, name: coder.className)
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
