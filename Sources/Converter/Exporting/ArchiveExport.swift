import ArchiveReader
import ArchiveWriter
import Foundation
import Support

/// The export of an archive from a store that keeps it: see `ConversionOptions.isReversible`.
///
/// The rows are compared with the archive, and what has changed is put back into its objects.
public struct ArchiveExport {
  /// The forms of archives.
  public enum Form: String, Sendable, CaseIterable {
    /// A binary property list.
    case binary
    /// An XML property list.
    case xml
  }

  /// A written archive.
  public struct Outcome: Sendable {
    /// The path of the archive, as the store has it.
    public let path: String
    /// The form that it had.
    public let format: String
    /// The form that it has now.
    public let form: Form
    /// The number of objects, the one for nil left out.
    public let objectCount: Int
    /// True if rows had changed.
    public let isEdited: Bool
    /// The differences that a check has found.
    public var differences: [String] = []
  }

  let store: String
  var options: ConversionOptions

  /// Prepares an export.
  ///
  /// - Parameters:
  ///   - store: The path of the store.
  ///   - options: The number of threads.
  public init(store: String, options: ConversionOptions) {
    (self.store, self.options) = (store, options)
  }

  /// Writes an archive.
  ///
  /// - Parameters:
  ///   - archive: The path of the archive as the store has it; nil for the only one.
  ///   - output: The path of the file to write.
  ///   - form: Its form; nil for that of the archive.
  ///   - replacing: True if a file there gives way.
  ///   - checks: True if what was written is read again, and compared.
  /// - Returns: What was written.
  /// - Throws: `ConversionError`. Then nothing was written.
  public func write(
    _ archive: String?, to output: String, as form: Form?, replacing: Bool, checks: Bool
  ) throws(ConversionError) -> Outcome {
    do {
      try check(output, replacing: replacing)
      let folder = try PrivateFolder()
      let kept = try KeptArchive(archive, of: store, in: folder, options)
      let edits = StoreEdits(ofArchive: kept.id)
      try compare(kept, edits)
      return try write(kept, edits, to: output, as: form, replacing: replacing, checks: checks)
    } catch let error as ConversionError {
      throw error
    } catch let error as StoreError {
      throw .unreadable(path: store, reason: error.reason)
    } catch let error as EditError {
      throw .unexportable(path: store, ["\(error)"])
    } catch let error as ArchiveError {
      throw .unreadable(path: store, reason: "\(error)")
    } catch let error as SystemError {
      throw .unwritable(path: output, reason: "cannot be written: \(error.words)")
    } catch let error as PropertyListWritingError {
      throw .unwritable(path: output, reason: "cannot be written as XML: \(error)")
    } catch {
      throw .unreadable(path: store, reason: "\(error)")
    }
  }

  private func check(_ output: String, replacing: Bool) throws(ConversionError) {
    if let identity = FileIdentity(path: output) {
      guard identity != FileIdentity(path: store) else {
        throw .store(StoreError(.isStore, path: output))
      }
      guard identity.isRegularFile else {
        throw .unwritable(path: output, reason: "is not a regular file")
      }
      guard replacing else {
        throw .unwritable(
          path: output, reason: "already exists (use --if-exists replace to overwrite it)")
      }
    }
    do throws(StoreError) {
      var read = ReadFiles([store])
      try read.check(.file(output))
    } catch {
      throw .store(error)
    }
    if let reason = OutputFile.obstacle(to: output) {
      throw .unwritable(path: output, reason: "cannot be written: \(reason)")
    }
  }

  /// Compares the rows of the store with the archive that it keeps.
  private func compare(_ kept: KeptArchive, _ edits: StoreEdits) throws {
    var verifier = StoreVerifier(store: store, inputs: kept.files, options: options)
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
      let reasons = obstacles.prefix(Self.maxMessages).map { difference in
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

  fileprivate static let maxMessages = 10

  private func write(
    _ kept: KeptArchive, _ edits: StoreEdits, to output: String, as form: Form?, replacing: Bool,
    checks: Bool
  ) throws -> Outcome {
    guard let archive = try kept.archive else {
      throw StoreError(.unreadable, path: store, reason: "what it keeps is no keyed archive")
    }
    var editor = try ArchiveEditor(edits, ArchiveCopy(archive), VerifiedStore(path: store))
    let copy = edits.isEmpty ? editor.copy : try editor.edited()
    try editor.checkReferences()
    let form = form ?? (archive.propertyList.format == .xml ? .xml : .binary)
    var failure: (any Error)?
    let file = try PreparedFile(output) { (descriptor) throws(SystemError) in
      do {
        try copy.write(as: form == .xml ? .xml : .binary) { bytes in
          try OutputFile.write(bytes, to: descriptor)
        }
      } catch let error as SystemError {
        throw error
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    var outcome = Outcome(
      path: kept.path, format: kept.format, form: form, objectCount: max(0, copy.objectCount - 1),
      isEdited: !edits.isEmpty)
    if checks { outcome.differences = try check(file.partial, kept, editor) }
    try file.publish(replacing: replacing)
    return outcome
  }

  /// Reads a written archive, and compares its objects with those that were to be written, and the
  /// rows with what it becomes.
  private func check(
    _ path: String, _ kept: KeptArchive, _ editor: ArchiveEditor
  ) throws -> [String] {
    let file = try ArchiveFile(path: path, kept.opener)
    guard let written = file.source.underlying as? KeyedArchive else {
      return ["what was written is no keyed archive"]
    }
    let (objects, count) = editor.copy.differences(from: written)
    let rows = try editor.differences(from: file.source)
    let all =
      objects.map { uid in
        uid.map { "object \($0) is not the same" } ?? "the top-level keys are not the same"
      } + rows.map(\.description)
    let listed = Array(all.prefix(Self.maxMessages))
    let total = count + rows.count
    return total > listed.count ? listed + ["\(Words.count(total, "difference")) in all"] : listed
  }
}

extension ArchiveExport {
  /// An archive that a store keeps, and all others that its run was made of, as files.
  private struct KeptArchive {
    let id: Int64
    let path: String
    let format: String
    /// The files of all archives.
    let files: [String]
    /// The opener of the archive, as the run opened it.
    let opener: SourceOpener
    private let file: String

    init(
      _ name: String?, of path: String, in folder: PrivateFolder, _ options: ConversionOptions
    ) throws {
      let store = try VerifiedStore(path: path)
      let records = try StoreVerifier.RunRecord.all(in: store, path: path)
      let listed = try store.rows(
        "SELECT id, path, sha256, format FROM \(RelationalLayout.archiveTable) ORDER BY id")
      let named = name == nil ? listed : listed.filter { $0[1] == name.map { .text($0) } }
      guard named.count == 1, case .integer(let id) = named[0][0],
        case .text(let archivePath) = named[0][1], case .text(let format) = named[0][3]
      else { throw Self.error(path, name, listed) }
      (self.id, self.path, self.format) = (id, archivePath, format)
      guard let record = records.first(where: { $0.archives.contains(id) }),
        record.options.reversible == true
      else { throw Self.unkept(path, archivePath) }
      var digests: [Int64: String] = [:]
      for row in listed {
        if case .integer(let id) = row[0], case .text(let sha256) = row[2] { digests[id] = sha256 }
      }
      let kept = try OriginalArchives.restore(digests, fromStoreAt: path, to: folder)
      guard let file = kept.files[id] else { throw Self.unkept(path, archivePath) }
      if let damaged = kept.damaged.min() {
        throw ConversionError.unexportable(
          path: path,
          ["the bytes that it keeps of archive \(damaged) are not those that were converted"])
      }
      self.file = file
      files = kept.files.sorted { $0.key < $1.key }.map(\.value)
      opener = record.conversionOptions(options).sourceOpener
    }

    private static func unkept(_ store: String, _ archive: String) -> ConversionError {
      .unexportable(
        path: store,
        ["\(archive) was converted without --reversible, so the store does not keep its objects"])
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

    /// The archive; nil if it is something else.
    var archive: KeyedArchive? {
      get throws {
        try ArchiveFile(path: file, opener).source.underlying as? KeyedArchive
      }
    }
  }
}
