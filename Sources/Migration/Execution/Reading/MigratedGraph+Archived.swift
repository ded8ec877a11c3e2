import GraphCore

/// Objects of the source that are parts of values, such as transformable ones of a binary store.
///
/// They have indices after those of the destination objects, and are what the source says.
extension MigratedGraph {
  /// The index here of an object of the source that is a part of a value.
  func translated(index uid: Int) -> Int? {
    uid >= state.firstArchived && uid < state.source.objectCount
      ? state.count + uid - state.firstArchived : nil
  }

  /// A value of the source with the indices that it has here.
  @inline(__always)
  func translated(_ value: GraphValue) -> GraphValue {
    switch value {
    case .null, .bool, .integer, .wideInteger, .real, .date, .text, .data, .uuid, .decimal, .url,
      .nsNull:
      value
    case .relativeURL, .className, .foundation, .object, .collection: translatedObject(value)
    }
  }

  private func translatedObject(_ value: GraphValue) -> GraphValue {
    switch value {
    case .object(let uid, let id):
      return translated(index: uid).map { .object(uid: $0, class: archivedClassID(id)) } ?? .null
    case .foundation(let uid, let id):
      return translated(index: uid).map { .foundation(uid: $0, class: archivedClassID(id)) }
        ?? .null
    case .relativeURL(let uid):
      return translated(index: uid).map { .relativeURL(uid: $0) } ?? .null
    case .className(let id): return .className(archivedClassID(id))
    case .collection(.object(let uid), let kind):
      return translated(index: uid).map { .collection(.object($0), kind) } ?? .null
    case .collection(.inline(let index), let kind):
      let (sum, overflow) = index.addingReportingOverflow(firstArchivedCollection)
      return overflow ? .null : .collection(.inline(sum), kind)
    default: return value
    }
  }

  /// A collection by its index in the source.
  func archived(_ collection: CollectionID) throws(ArchiveError) -> CollectionID {
    switch collection {
    case .object(let uid):
      guard let archived = try archivedObject(uid) else {
        throw ArchiveError(.badCollection, at: .object(uid, key: nil), name: "it is an object")
      }
      return .object(archived)
    case .inline(let index):
      guard index >= firstArchivedCollection else {
        throw ArchiveError(.badCollection, name: "there is none")
      }
      return .inline(index - firstArchivedCollection)
    }
  }

  /// Puts the indices of objects here in the place of the source's in errors.
  func repositioned<Result>(
    _ object: GraphObject?, _ position: Int? = nil, _ body: () throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    do throws(ArchiveError) {
      return try body()
    } catch {
      guard case .object(let uid, let key) = error.position else { throw error }
      var error = error
      if let object, object.uid < state.count {
        error.position = .object(object.uid, key: key)
      } else {
        error.position = translated(index: uid).map { .object($0, key: key) }
      }
      throw error
    }
  }

  func foundationValue(_ uid: Int) throws(ArchiveError) -> FoundationValue? {
    guard let archived = try archivedObject(uid) else { return nil }
    return try repositioned(nil) { () throws(ArchiveError) in
      try reader.graph.foundationValue(archived)
    }
  }

  func foundationByteCount(_ uid: Int) throws(ArchiveError) -> Int {
    guard let archived = try archivedObject(uid) else { return 0 }
    return try repositioned(nil) { () throws(ArchiveError) in
      try reader.graph.foundationByteCount(archived)
    }
  }

  func urlText(_ uid: Int) -> String? {
    guard let archived = try? archivedObject(uid) else { return nil }
    return reader.graph.urlText(archived)
  }
}
