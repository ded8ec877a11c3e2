import ArchiveReader
import Support

extension ArchiveExport {
  /// The objects of an archive that the store keeps, with what its rows have changed.
  struct Edited: Written {
    private let store: String
    private let chosen: StoreArchive
    private let options: ConversionOptions
    let copy: ArchiveCopy
    let isEdited: Bool?

    init(
      _ chosen: StoreArchive, of store: String, in folder: PrivateFolder,
      _ options: ConversionOptions
    ) throws {
      let kept = try OriginalArchives.restore(chosen.known, fromStoreAt: store, to: folder)
      guard let file = kept.files[chosen.id] else {
        throw ConversionError.unexportable(path: store, ["does not keep \(chosen.path)"])
      }
      if let damaged = kept.damaged.min() {
        throw ConversionError.unexportable(
          path: store,
          ["the bytes that it keeps of archive \(damaged) are not those that were converted"])
      }
      let edits = StoreEdits(ofArchive: chosen.id)
      let files = kept.files.sorted { $0.key < $1.key }.map(\.value)
      try Self.compare(files, of: store, edits, options)
      self.options = chosen.record.conversionOptions(options)
      let opened = try ArchiveFile(path: file, self.options.sourceOpener)
      guard let archive = opened.source.underlying as? KeyedArchive else {
        throw StoreError(.unreadable, path: store, reason: "what it keeps is no keyed archive")
      }
      let verified = try VerifiedStore(path: store)
      var editor = try ArchiveEditor(edits, ArchiveCopy(archive), verified)
      copy = edits.isEmpty ? editor.copy : try editor.edited()
      try verified.checkReferences()
      isEdited = !edits.isEmpty
      (self.store, self.chosen) = (store, chosen)
    }

    /// Compares the rows of the store with the archives that it keeps.
    private static func compare(
      _ files: [String], of store: String, _ edits: StoreEdits, _ options: ConversionOptions
    ) throws {
      var verifier = StoreVerifier(store: store, inputs: files, options: options)
      verifier.edits = edits
      guard let found = try verifier.run().verification else { return }
      // Tables, indexes and views that were added take nothing away from the rows.
      let obstacles = found.differences.filter { difference in
        difference.row != nil
          || difference.expected != "nothing" && difference.expected != "a view"
            && difference.expected != "an index"
            && !Database.headerNumbers.contains(difference.entity)
      }
      guard obstacles.isEmpty, found.differenceCount == found.differences.count else {
        let reasons = obstacles.prefix(ArchiveExport.maxMessages).map { difference in
          EditError(
            table: difference.entity, row: difference.row, column: difference.property,
            reason: "\(difference.expected) was expected, but \(difference.found) found"
          ).description
        }
        throw ConversionError.unexportable(
          path: store,
          reasons.isEmpty ? ["\(Words.count(found.differenceCount, "difference"))"] : reasons)
      }
    }

    func examine() {}

    /// Compares the objects with those that were to be written, and the rows with what the archive
    /// becomes.
    func differences(from path: String) throws -> (listed: [String], count: Int) {
      let file = try ArchiveFile(path: path, options.sourceOpener)
      guard let written = file.source.underlying as? KeyedArchive else {
        return (["what was written is no keyed archive"], 1)
      }
      let (objects, count) = copy.differences(from: written)
      let folder = try PrivateFolder()
      let again = try ArchiveExport.rows(of: path, in: folder, options, isComparing: true)
      let rows = try RowArchive(
        path: store, archive: chosen.id, isOnly: chosen.known.count == 1, isComparing: true)
      let (listed, rowCount) = try rows.differences(from: again)
      let all =
        objects.map { uid in
          uid.map { "object \($0) is not the same" } ?? "the top-level keys are not the same"
        } + listed
      return (all, count + rowCount)
    }
  }
}
