import ArchiveReader

/// The mapping with names of classes and keys as the archives' readers have them: see
/// `ArchivedName`. Names of entities and properties stay as they are.
extension Mapping {
  var withArchivedNames: Mapping {
    var mapping = self
    mapping.classes = classes.map(\.withArchivedNames)
    mapping.entities = entities.map(\.withArchivedNames)
    for pass in passes.indices {
      mapping.passes[pass].entities = passes[pass].entities.map(\.withArchivedNames)
    }
    return mapping
  }
}

extension ClassMapping {
  fileprivate var withArchivedNames: ClassMapping {
    var mapping = self
    mapping.className = className.asArchived
    switch kind {
    case .entity, .ignored: break
    case .value(let key): mapping.kind = .value(key: ArchivedName.text(key))
    case .translated(let name): mapping.kind = .translated(to: ArchivedName.text(name))
    }
    return mapping
  }
}

extension EntityMapping {
  fileprivate var withArchivedNames: EntityMapping {
    var mapping = self
    mapping.sources = sources.map(\.asArchived)
    mapping.unread = unread.map(\.asArchived)
    for index in attributes.indices {
      mapping.attributes[index].source = attributes[index].source.asArchived
    }
    for index in relationships.indices {
      mapping.relationships[index].source = relationships[index].source.asArchived
    }
    for index in collections.indices {
      let key = collections[index].key.asArchived
      mapping.collections[index].key = key
      mapping.collections[index].form?.key = key.value
    }
    return mapping
  }
}

extension Marked<String> {
  fileprivate var asArchived: Marked<String> { Marked(ArchivedName.text(value), at: mark) }
}

extension Marked<ValueSource> {
  /// The source with archived names; an expression looks up itself what it reads.
  fileprivate var asArchived: Marked<ValueSource> {
    guard case .keyPath(let path) = value else { return self }
    return Marked(.keyPath(path.map(ArchivedName.text)), at: mark)
  }
}
