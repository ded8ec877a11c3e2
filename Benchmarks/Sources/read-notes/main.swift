// Decodes the notes into objects of Swift and counts them: what ArchiveReader takes by itself.
//
//     read-notes INPUT

import ArchiveReader

let unarchiver = try KeyedUnarchiver(
  contentsOf: CommandLine.arguments[1],
  options: UnarchivingOptions(types: [Library.self, Folder.self, Note.self]))
let library = try unarchiver.decodeRoot(of: Library.self)
print(library?.folders.reduce(0) { $0 + $1.notes.count } ?? 0, "notes")
