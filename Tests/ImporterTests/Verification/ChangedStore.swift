import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

/// Finished stores of several origins, to be changed and compared.
enum ChangedStore: String, CaseIterable {
  /// Inferred, mapped with tables of links, made by hooks, and filled by two runs that share rows.
  case plain, mapped, hooked, appended

  /// The store's folder and archives.
  struct Subject {
    let folder: TemporaryFolder
    let inputs: [String]
    var options = ConversionOptions()
    var store: String { folder.file(named: "out.db") }

    /// Compares a store with the archives.
    func verify(_ path: String) throws -> VerificationResult {
      var verifier = StoreVerifier(store: path, inputs: inputs, options: options)
      return try #require(try verifier.run().verification)
    }

    /// A copy of the store with a change.
    func copy(_ change: String) throws -> String {
      try StoreEditor.copy(of: store, in: folder, changedBy: change)
    }
  }

  /// Notes with a value that is another each time.
  struct NoteHook: ImportHook {
    static let archivedClassNames = ["Note"]

    static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
      let note = try coder.insert(into: "Note")
      note["uid"] = try coder.decodeString(forKey: "uid")
      note["title"] = try coder.decodeString(forKey: "title")?.uppercased()
      note["stamp"] = UUID().uuidString
      return note
    }
  }

  /// Makes the store.
  func subject() throws -> Subject {
    let folder = try TemporaryFolder()
    let inputs = try (0..<2).map { number in
      try folder.write(Self.archive(number).binary(), to: "a\(number).plist")
    }
    var subject = Subject(folder: folder, inputs: inputs)
    var options = ConversionOptions()
    let identity = "entities: {Note: {identity: uid}, List: {identity: uid}}"
    switch self {
    case .plain: break
    case .mapped, .appended:
      options.mappingPath = try folder.write(identity, to: "mapping.yaml")
    case .hooked:
      options.extensions = ImportExtensions(hooks: [NoteHook.self])
      subject.options.extensions = options.extensions
    }
    let parts = self == .appended ? inputs.map { [$0] } : [inputs]
    for (number, part) in parts.enumerated() {
      options.existingStore = number == 0 ? .fail : .append
      var conversion = Conversion(
        inputs: part, destination: subject.store, options: options)
      _ = try conversion.run()
    }
    return subject
  }

  /// A list of notes, of which archives share one.
  private static func archive(_ number: Int) -> KeyedArchiveBuilder {
    .archive { archive in
      let notes = (0..<4).map { place in
        archive.instance(
          of: "Note",
          [
            "uid": archive.string("note \(place + 3 * number)"),
            "title": archive.string("title \(place) of \(number)"), "rank": .integer(Int64(place)),
            "stamp": archive.string("stamp \(place)"),
          ])
      }
      archive.setTop("count", .integer(4))
      return archive.instance(
        of: "List",
        ["uid": archive.string("list"), "notes": archive.array(notes)])
    }
  }
}
