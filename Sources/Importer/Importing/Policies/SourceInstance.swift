import ArchiveReader

/// An archived object, as a policy sees it.
public struct SourceInstance {
  let session: ImportSession
  let object: GraphObject

  /// The path of the archive.
  public var archivePath: String { session.path }

  /// The place of the object in the archive's `$objects`.
  public var uid: Int { object.uid }

  /// The archived name of its class.
  public var className: String { ArchivedName.plain(archivedClass) }

  private var archivedClass: String {
    session.importer.graph.classes[object.class.index].name
  }

  /// Its keys.
  public var keys: [String] {
    session.importer.graph.keys(ofShape: object.shape).filter { $0 != "$class" }
      .map(ArchivedName.plain)
  }

  /// What stands under a key: objects that are rows are given as their row.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; `.null` where there is no such key.
  /// - Throws: `ArchiveError` if the archive is damaged there.
  public func value(forKey key: String) throws -> ImportValue {
    let key = noteRead(key)
    return try session.value(forKeyPath: [key], of: object)
  }

  /// What stands under a key path: "owner.name" leads from object to object.
  ///
  /// - Parameter path: The keys, with dots between.
  /// - Returns: The value; `.null` where a key is not there.
  /// - Throws: `ArchiveError` if the archive is damaged there.
  public func value(forKeyPath path: String) throws -> ImportValue {
    let keys = path.unicodeScalars.split(separator: ".").map { ArchivedName.text(String($0)) }
    if let first = keys.first { noteRead(archived: first) }
    return try session.value(forKeyPath: keys, of: object)
  }

  /// The objects that stand under a key: one, or those of a collection.
  ///
  /// - Parameter key: The key.
  /// - Returns: The objects, in the order of the archive; values that are no objects are left out.
  /// - Throws: `ArchiveError` if the archive is damaged there.
  public func objects(forKey key: String) throws -> [SourceInstance] {
    let key = noteRead(key)
    guard let position = session.importer.graph.position(of: key, in: object) else { return [] }
    switch try session.importer.graph.value(of: object, at: position) {
    case .object(let uid, _):
      return [SourceInstance(session: session, object: try session.importer.graph.object(uid))]
    case .collection(let id, let kind):
      let elements = try session.importer.graph.elements(of: id, kind)
      return try (0..<elements.count).compactMap { position in
        guard
          case .object(let uid, _) = try session.importer.graph.value(of: elements, at: position)
        else { return nil }
        return SourceInstance(session: session, object: try session.importer.graph.object(uid))
      }
    default:
      return []
    }
  }

  /// Notes that a key is read; returns it as archived.
  private func noteRead(_ key: String) -> String {
    let key = ArchivedName.text(key)
    noteRead(archived: key)
    return key
  }

  private func noteRead(archived key: String) {
    session.manager?.noteRead(key, of: archivedClass)
  }

  var key: SourceKey { SourceKey(session.archiveID, object.uid) }
}
