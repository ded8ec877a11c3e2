extension KeyedArchive: GraphSource {
  package var format: SourceFormat {
    switch propertyList.format {
    case .binary: .binary
    case .xml: .xml
    case .nib: .nib
    case .typedstream: version < 4 ? .oldTypedstream : .typedstream
    }
  }
  package var byteCount: Int { propertyList.byteCount }
  package var residentBytes: Int { propertyList.residentBytes }
  package var valueCount: Int { table.count }

  package var roots: [GraphRoot] {
    topLevel.enumerated().map { index, entry in
      GraphRoot(key: entry.key, index: index, isReference: table.uid(of: entry.node) != nil)
    }
  }

  /// True if the name of a dictionary's class occurs anywhere in the file.
  ///
  /// A property list that is no archive has dictionaries without names.
  package var mayHoldDictionaries: Bool {
    objectCount == 0 || propertyList.mayContain("Dictionary")
  }

  package var unreadKeys: [UnreadKey: Int] {
    Dictionary(
      otherKeys.map { (UnreadKey(owner: "$archive", key: $0), 1) }, uniquingKeysWith: +)
  }

  package var classVersions: [String: Int64] { propertyList.classVersions }
  package var forbiddenCharacters: Int { propertyList.forbiddenCharacters }
  package var losses: [ArchiveError] { salvage?.losses ?? propertyList.losses }

  package func place(ofObject uid: Int) -> ObjectPlace {
    var place = ObjectPlace(uid: uid)
    guard propertyList.format == .binary, uid >= 0, uid < objectCount else { return place }
    let offset = table.offset(of: table[objects, uid])
    if let (_, values) = table.dictionary(at: offset) {
      let end = values.offset + values.count * table.referenceSize
      place.bytes = (offset, end - offset)
    }
    return place
  }

  package func check() throws(ArchiveError) { try propertyList.check() }

  package func explained(_ error: ArchiveError) -> ArchiveError { propertyList.explained(error) }

  package func inspect(limits: ReadingLimits) throws(ArchiveError) -> ArchiveInspection {
    try ArchiveInspection(self, limits: limits)
  }

  package func makeGraph(_ options: GraphOptions) -> any ObjectGraph {
    ArchiveGraph(self, options)
  }
}
