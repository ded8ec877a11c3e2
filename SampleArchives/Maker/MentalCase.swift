import ArchiveWriter
import Foundation

/// The library of a flash-card app: folders of notes, and each note knows its folder.
///
/// Foundation on Linux cannot encode decimal numbers as Apple does, so this archive is our own.
enum MentalCase {
  static func sample() throws -> Sample {
    var archive = KeyedArchiveBuilder()
    let library = archive.reserve()
    archive.setTop("root", library.reference)
    var folders: [PropertyListValue] = []
    for folder in MentalCaseContent.folders {
      folders.append(try add(folder, parent: .none, to: &archive))
    }
    let pairs = [
      KeyValue("title", archive.string("My Library")),
      KeyValue("folders", archive.mutableArray(folders)),
    ]
    fill(library, "MTLibrary", id: "LIB-1", pairs, in: &archive)
    return try Sample(name: "MentalCase", archive)
  }

  private static func add(
    _ folder: MentalCaseContent.Folder, parent: PropertyListValue,
    to archive: inout KeyedArchiveBuilder
  ) throws -> PropertyListValue {
    let slot = archive.reserve()
    var notes: [PropertyListValue] = []
    for note in folder.notes {
      notes.append(try add(note, container: slot.reference, to: &archive))
    }
    var folders: [PropertyListValue] = []
    for inner in folder.folders {
      folders.append(try add(inner, parent: slot.reference, to: &archive))
    }
    let pairs = [
      KeyValue("title", archive.string(folder.title)), KeyValue("parent", parent),
      KeyValue("isEditable", .bool(folder.isEditable)),
      KeyValue("folders", archive.mutableArray(folders)),
      KeyValue("notes", archive.mutableArray(notes)),
    ]
    fill(slot, "MTFolder", id: folder.id, pairs, in: &archive)
    return slot.reference
  }

  private static func add(
    _ note: MentalCaseContent.Note, container: PropertyListValue,
    to archive: inout KeyedArchiveBuilder
  ) throws -> PropertyListValue {
    let slot = archive.reserve()
    var price = PropertyListValue.none
    if let text = note.price { price = try archive.decimal(text) }
    let pairs = [
      KeyValue("container", container), KeyValue("title", archive.string(note.title)),
      KeyValue("text", archive.mutableString(note.text)),
      KeyValue("isEditable", .bool(note.isEditable)), KeyValue("rank", .integer(note.rank)),
      KeyValue("ease", .float(note.ease)),
      KeyValue("creationDate", archive.date(secondsSince2001: note.created)),
      KeyValue("modificationDate", archive.date(secondsSince2001: note.created + note.age)),
      KeyValue("price", price), KeyValue("syncIdentifier", archive.uuid(.sample(note.number))),
      KeyValue("link", link(of: note, in: &archive)),
      KeyValue("sound", note.sound.map { archive.data(Data($0)) } ?? .none),
      KeyValue("sketch", note.sketch.map { archive.mutableData(Data($0)) } ?? .none),
      KeyValue("tags", archive.set(note.tags.map { .string($0) })),
      KeyValue("hints", archive.array(note.hints.map { .string($0) })),
    ]
    fill(slot, "MTNote", id: "NOTE-\(note.number)", pairs, in: &archive)
    return slot.reference
  }

  private static func link(
    of note: MentalCaseContent.Note, in archive: inout KeyedArchiveBuilder
  ) -> PropertyListValue {
    guard let link = note.link else { return .none }
    let base = note.linkBase.map { archive.url($0) } ?? .none
    return archive.url(link, base: base)
  }

  /// Fills in an object with its own keys and those that the article's model objects share.
  private static func fill(
    _ slot: KeyedArchiveBuilder.Slot, _ className: String, id: String, _ pairs: [KeyValue],
    in archive: inout KeyedArchiveBuilder
  ) {
    let shared = [
      KeyValue("modelObjectClassVersion", 1), KeyValue("uniqueId", archive.string(id)),
      KeyValue("modelContext", .none),
    ]
    archive.fill(
      slot, className: className, hierarchy: [className, "MTModelObject", "NSObject"],
      shared + pairs)
  }
}
