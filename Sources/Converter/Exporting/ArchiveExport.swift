import ArchiveReader
import ArchiveWriter
import Foundation
import Support

/// The export of an archive from a store.
///
/// If the store keeps the archive (see `ConversionOptions.isReversible`), its rows are compared with
/// it, and what has changed is put back into its objects. Else its objects are made of the rows.
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
    /// True if rows had changed; nil where the store does not keep the archive, so that nobody knows.
    public let isEdited: Bool?
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
      let chosen = try StoreArchive(archive, of: store)
      let folder = try PrivateFolder()
      let written: Written
      if chosen.record.options.reversible == true {
        written = try Edited(chosen, of: store, in: folder, options)
      } else {
        written = try Made(chosen, of: store, options)
      }
      return try write(written, chosen, to: output, as: form, replacing: replacing, checks: checks)
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

  static let maxMessages = 10

  private func write(
    _ written: some Written, _ chosen: StoreArchive, to output: String, as form: Form?,
    replacing: Bool, checks: Bool
  ) throws -> Outcome {
    let form = form ?? (chosen.format == "xml" ? .xml : .binary)
    let copy = written.copy
    var objectCount = 0
    var failure: (any Error)?
    let file = try PreparedFile(output) { (descriptor) throws(SystemError) in
      do {
        objectCount = try copy.write(as: form == .xml ? .xml : .binary) { bytes in
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
      path: chosen.path, format: chosen.format, form: form,
      objectCount: max(0, objectCount - 1), isEdited: written.isEdited)
    try written.examine()
    if checks {
      let (listed, count) = try written.differences(from: file.partial)
      outcome.differences = Array(listed.prefix(Self.maxMessages))
      if count > outcome.differences.count {
        outcome.differences.append("\(Words.count(count, "difference")) in all")
      }
    }
    try file.publish(replacing: replacing)
    return outcome
  }

  /// An archive that is written.
  protocol Written {
    var copy: ArchiveCopy { get }
    /// True if its rows are known to have changed; nil if that is not known.
    var isEdited: Bool? { get }

    /// Refuses what was written if it is not what the rows say.
    func examine() throws

    /// Reads what was written, and compares it with the rows: what differs, up to a limit, and how
    /// much does.
    func differences(from path: String) throws -> (listed: [String], count: Int)
  }
}
