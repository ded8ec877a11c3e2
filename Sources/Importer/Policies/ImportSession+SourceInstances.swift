import ArchiveReader

// The objects of the archive, as policies see them.
extension ImportSession: SourceInstanceReader {
  var sourceNumber: Int64 { archiveID }

  func className(of object: GraphObject) -> String {
    ArchivedName.plain(archivedClass(of: object))
  }

  private func archivedClass(of object: GraphObject) -> String {
    graph.classes[object.class.index].name
  }

  func keys(of object: GraphObject) -> [String] {
    graph.keys(ofShape: object.shape).filter { $0 != "$class" }.map(ArchivedName.plain)
  }

  func value(forKey key: String, of object: GraphObject) throws -> ImportValue {
    let key = ArchivedName.text(key)
    noteRead(key, of: object)
    return try value(forKeyPath: [key], of: object, notes: true)
  }

  func value(forKeyPath path: String, of object: GraphObject) throws -> ImportValue {
    let keys = path.unicodeScalars.split(separator: ".").map { ArchivedName.text(String($0)) }
    if let first = keys.first { noteRead(first, of: object) }
    return try value(forKeyPath: keys, of: object, notes: true)
  }

  func objects(forKey key: String, of object: GraphObject) throws -> [GraphObject] {
    let key = ArchivedName.text(key)
    noteRead(key, of: object)
    guard let position = graph.position(of: key, in: object) else { return [] }
    switch try graph.value(of: object, at: position) {
    case .object(let uid, _):
      return [try graph.object(uid)]
    case .collection(let id, let kind):
      let elements = try graph.elements(of: id, kind)
      return try (0..<elements.count).compactMap { position in
        guard case .object(let uid, _) = try graph.value(of: elements, at: position) else {
          return nil
        }
        return try graph.object(uid)
      }
    default:
      return []
    }
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
