import GRDB

var configuration = Configuration()
configuration.readonly = true
let store = try DatabaseQueue(path: CommandLine.arguments[1], configuration: configuration)
try store.read { db in
  for folder in try MTFolder.fetchAll(db) {
    let notes = try folder.notes.fetchAll(db)
    print(folder.title ?? "", notes.count)
    for note in notes.prefix(2) {
      print(" ", note.title ?? "", try note.tags.fetchAll(db).compactMap(\.value))
    }
  }
}
