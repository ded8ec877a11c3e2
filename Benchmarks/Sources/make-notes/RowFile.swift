import Foundation

/// The rows of the notes, ready for `insert-rows`, which explains the form.
struct RowFile {
  private(set) var bytes = Data()
  private var folders: Int64 = 0
  private var notes: Int64 = 0

  /// Adds a folder and its notes.
  mutating func add(_ folder: Folder) {
    folders += 1
    bytes.append(0)
    add(folders)
    add(folder.name)
    add(folder.uniqueID)
    add(instant: folder.createdAt)
    for (position, note) in folder.notes.enumerated() {
      notes += 1
      bytes.append(1)
      add(notes)
      add(folders)
      add(Int64(position))
      add(note.uniqueID)
      add(note.title)
      add(note.body)
      add(note.amount)
      add(Int64(note.isEditable ? 1 : 0))
      add(Int64(note.rank))
      add(instant: note.createdAt)
      add(note.tags)
      add(note.price)
      add(note.syncID?.uuidString)
      add(note.link)
      if let attachment = note.attachment { add(4, attachment.bytes) } else { bytes.append(0) }
    }
  }

  private mutating func add(_ value: Int64) {
    bytes.append(1)
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  private mutating func add(_ value: Double) {
    bytes.append(2)
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  /// In seconds since 1970, as programs without a layout of their own store it.
  private mutating func add(instant: Double) { add(instant + 978_307_200) }

  private mutating func add(_ text: String?) {
    if let text { add(3, Data(text.utf8)) } else { bytes.append(0) }
  }

  private mutating func add(_ kind: UInt8, _ content: Data) {
    bytes.append(kind)
    withUnsafeBytes(of: UInt32(content.count)) { bytes.append(contentsOf: $0) }
    bytes.append(content)
  }
}
