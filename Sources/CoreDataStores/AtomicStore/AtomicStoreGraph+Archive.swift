import ArchiveReader
import GraphCore

/// The archive in a store, whose objects have numbers after those of the store's own.
extension AtomicStoreGraph {
  /// The UID of an object in the archive; nil if it is one of the store's own.
  func innerUID(of uid: Int) throws(ArchiveError) -> Int? {
    if objects.objects.indices.contains(uid) { return nil }
    let place = uid.subtractingReportingOverflow(objects.objects.count)
    guard !place.overflow, let uids = store.content.archived?.uids,
      uids.indices.contains(place.partialValue)
    else { throw ArchiveError(.danglingReference, name: "\(uid)") }
    return uids[place.partialValue]
  }

  /// The number that an object of the archive has here.
  func number(of innerUID: Int) -> Int? {
    store.content.archived?.place(of: innerUID).map { objects.objects.count + $0 }
  }

  func innerObject(_ uid: Int) throws(ArchiveError) -> GraphObject {
    guard let inner else { throw ArchiveError(.danglingReference, name: "\(uid)") }
    return try translating { () throws(ArchiveError) in try inner.object(uid) }
  }

  /// The value that the archive's graph gives, with the numbers that it has here.
  func read(
    _ body: (ArchiveGraph) throws(ArchiveError) -> GraphValue
  ) throws(ArchiveError) -> GraphValue {
    guard let inner else { return .null }
    return translated(try translating { () throws(ArchiveError) in try body(inner) })
  }

  func translated(_ value: GraphValue) -> GraphValue {
    switch value {
    case .object(let uid, let id):
      return number(of: uid).map { .object(uid: $0, class: classID(id)) } ?? .null
    case .foundation(let uid, let id):
      return number(of: uid).map { .foundation(uid: $0, class: classID(id)) } ?? .null
    case .relativeURL(let uid): return number(of: uid).map { .relativeURL(uid: $0) } ?? .null
    case .className(let id): return .className(classID(id))
    case .collection(.object(let uid), let kind):
      return number(of: uid).map { .collection(.object($0), kind) } ?? .null
    case .collection(.inline(let index), let kind):
      return .collection(.inline(objects.values.count + index), kind)
    default: return value
    }
  }

  /// Puts the numbers of objects here in the place of UIDs in errors.
  func translating<Result>(
    _ body: () throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    do throws(ArchiveError) {
      return try body()
    } catch {
      guard case .object(let uid, let key) = error.position else { throw error }
      var error = error
      error.position = number(of: uid).map { .object($0, key: key) }
      throw error
    }
  }
}
