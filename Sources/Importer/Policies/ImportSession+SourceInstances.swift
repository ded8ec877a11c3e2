import ArchiveReader

// The objects of the archive, as policies see them.
extension ImportSession: SourceInstanceReader {
  var sourceNumber: Int64 { archiveID }

  func className(of object: GraphObject) -> String {
    ArchivedName.plain(archivedClass(of: object))
  }

  func number(of object: GraphObject) -> Int64 { graph.source.number(ofObject: object.uid) }

  private func archivedClass(of object: GraphObject) -> String {
    graph.classes[object.class.index].name
  }

  func keys(of object: GraphObject) -> [String] {
    graph.keys(ofShape: object.shape).filter { $0 != "$class" }.map(ArchivedName.plain)
  }

  func value(forKey key: String, of object: GraphObject) throws -> ImportValue {
    if context.plan.migration != nil { return try migratedValue(forKey: key, of: object) }
    let key = ArchivedName.text(key)
    noteRead(key, of: object)
    return try value(forKeyPath: [key], of: object, notes: true)
  }

  func value(forKeyPath path: String, of object: GraphObject) throws -> ImportValue {
    if context.plan.migration != nil {
      let keys = path.split(separator: ".").map(String.init)
      guard let first = keys.first else { return .null }
      return try migrationScope.value(
        forKeys: keys.dropFirst(), of: try migratedValue(forKey: first, of: object))
    }
    let keys = path.unicodeScalars.split(separator: ".").map { ArchivedName.text(String($0)) }
    if let first = keys.first { noteRead(first, of: object) }
    return try value(forKeyPath: keys, of: object, notes: true)
  }

  func objects(forKey key: String, of object: GraphObject) throws -> [GraphObject] {
    if context.plan.migration != nil {
      return try ObjectHandle.uids(in: try migratedValue(forKey: key, of: object))
        .map { try graph.object($0) }
    }
    let key = ArchivedName.text(key)
    noteRead(key, of: object)
    return try graph.objects(under: key, of: object.uid).map { try graph.object($0) }
  }

  /// The value under a key of an object of a store that is migrated.
  private func migratedValue(forKey key: String, of object: GraphObject) throws -> ImportValue {
    guard let value = try storedValue(forKey: key, of: object.uid) else {
      throw ImportError(
        .unknownProperty, name: "\(className(of: object)).\(key)",
        nearest: NearestName.find(key, in: keys(of: object)))
    }
    context.migrated.uses.noteRead(key, ofClass: object.class.index, className(of: object))
    return value
  }

  /// Notes that a policy reads a key.
  func noteRead(_ key: String, of object: GraphObject) {
    migration?.noteRead(key, of: archivedClass(of: object))
  }
}

extension SourceInstance {
  /// Which object of which archive it is.
  var key: SourceKey { SourceKey(reader.sourceNumber, uid) }
}
