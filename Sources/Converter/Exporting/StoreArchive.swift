import Support

/// An archive of a store, and the run that converted it.
struct StoreArchive {
  let id: Int64
  let path: String
  let format: String
  let record: StoreVerifier.RunRecord
  /// The size in bytes and the digest that the store has of each of its archives.
  let known: [Int64: (bytes: Int64, sha256: String)]

  /// Finds an archive.
  ///
  /// - Parameters:
  ///   - name: Its path as the store has it; nil for the only one.
  ///   - path: The path of the store.
  /// - Throws: `ConversionError` if there is no such archive, `StoreError` if the store is none of
  ///   this program's.
  init(_ name: String?, of path: String) throws {
    let store = try VerifiedStore(path: path)
    let records = try StoreVerifier.RunRecord.all(in: store, path: path)
    let listed = try store.rows(
      "SELECT id, path, sha256, format, bytes FROM \(RelationalLayout.archiveTable) ORDER BY id")
    let named = name == nil ? listed : listed.filter { $0[1] == name.map { .text($0) } }
    guard named.count == 1, case .integer(let id) = named[0][0],
      case .text(let archivePath) = named[0][1], case .text(let format) = named[0][3],
      let record = records.first(where: { $0.archives.contains(id) })
    else { throw Self.error(path, name, listed) }
    (self.id, self.path, self.format, self.record) = (id, archivePath, format, record)
    var known: [Int64: (bytes: Int64, sha256: String)] = [:]
    for row in listed {
      if case .integer(let id) = row[0], case .text(let sha256) = row[2],
        case .integer(let bytes) = row[4]
      {
        known[id] = (bytes, sha256)
      }
    }
    self.known = known
  }

  private static func error(
    _ store: String, _ name: String?, _ listed: [[StoredValue]]
  ) -> ConversionError {
    let names = listed.compactMap { row in
      if case .text(let path) = row[1] { path } else { nil }
    }
    let list = names.prefix(ArchiveExport.maxMessages).joined(separator: ", ")
    let all = names.count > ArchiveExport.maxMessages ? "\(list), …" : list
    guard let name else {
      return .unexportable(
        path: store,
        [
          names.isEmpty
            ? "has no archive"
            : "has \(Words.count(names.count, "archive")); name one with --archive: \(all)"
        ])
    }
    let isThere = names.contains { $0.utf8.elementsEqual(name.utf8) }
    return .unexportable(
      path: store,
      [
        isThere
          ? "has several archives of the path \(name)" : "has no archive \(name), but \(all)"
      ])
  }
}
