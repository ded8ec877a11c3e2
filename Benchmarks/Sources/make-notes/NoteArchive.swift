import ArchiveWriter

/// Notes as NSKeyedArchiver archives them: containers before what they hold, each note with a
/// reference back to its folder, nil as a reference to `$null`.
struct NoteArchive {
  private(set) var builder = KeyedArchiveBuilder()
  private let library: KeyedArchiveBuilder.Slot
  private var folders: [PropertyListValue] = []

  init() {
    library = builder.reserve()
  }

  mutating func add(_ folder: Folder) throws {
    let slot = builder.reserve()
    let name = builder.add(.string(folder.name))
    let uniqueID = builder.add(.string(folder.uniqueID))
    let createdAt = builder.date(secondsSince2001: folder.createdAt)
    var notes: [PropertyListValue] = []
    for note in folder.notes { notes.append(try reference(to: note, in: slot)) }
    folders.append(
      builder.fill(
        slot, className: "Folder",
        [
          "name": name, "uniqueId": uniqueID, "createdAt": createdAt,
          "notes": builder.mutableArray(notes),
        ]))
  }

  /// Ends the archive.
  mutating func finish(exportedAt: Double) {
    builder.fill(
      library, className: "Library",
      [
        "schemaVersion": 3, "folders": builder.mutableArray(folders),
        "exportedAt": builder.date(secondsSince2001: exportedAt),
      ])
    builder.setTop("root", library.reference)
  }

  private mutating func reference(
    to note: Note, in folder: KeyedArchiveBuilder.Slot
  ) throws -> PropertyListValue {
    let slot = builder.reserve()
    return builder.fill(
      slot, className: "Note",
      [
        "uniqueId": builder.add(.string(note.uniqueID)), "title": builder.add(.string(note.title)),
        "body": builder.add(.string(note.body)), "amount": .real(note.amount),
        "isEditable": .bool(note.isEditable), "rank": .integer(Int64(note.rank)),
        "createdAt": builder.date(secondsSince2001: note.createdAt),
        "container": folder.reference,
        // The app had them as literals, which are one object wherever they occur.
        "tags": note.tags.map { builder.string($0) } ?? .none,
        "price": try note.price.map { try builder.decimal($0) } ?? .none,
        "syncId": note.syncID.map { builder.uuid($0) } ?? .none,
        "link": note.link.map { builder.url($0) } ?? .none,
        "attachment": note.attachment.map {
          $0.isMutable ? builder.mutableData($0.bytes) : builder.data($0.bytes)
        } ?? .none,
      ])
  }
}
