// What one writes with Foundation: NSKeyedUnarchiver, a class for each archived one, SQLite.
//
//     foundation-converter SCHEMA.sql INPUT STORE
//     foundation-converter --read INPUT
//
// Foundation on Linux cannot follow the reference from a note back to its folder, nor read a decimal
// number, so `container` is left out and the price is read in parts.

import BenchmarkSQLite
import Foundation

let classes: [String: AnyClass] = [
  "Library": ArchivedLibrary.self, "Folder": ArchivedFolder.self, "Note": ArchivedNote.self,
  "NSDecimalNumberPlaceholder": ArchivedPrice.self,
]
for entry in classes { NSKeyedUnarchiver.setClass(entry.value, forClassName: entry.key) }

func library(at path: String) throws -> ArchivedLibrary {
  let data = try Data(contentsOf: URL(fileURLWithPath: path))
  let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
  unarchiver.requiresSecureCoding = false
  unarchiver.decodingFailurePolicy = .setErrorAndReturn
  let root = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
  guard let library = root as? ArchivedLibrary else {
    throw unarchiver.error ?? CocoaError(.coderReadCorrupt)
  }
  return library
}

let arguments = CommandLine.arguments
if arguments[1] == "--read" {
  print(try library(at: arguments[2]).folders.reduce(0) { $0 + $1.notes.count }, "notes")
} else {
  let schema = try String(contentsOfFile: arguments[1], encoding: .utf8)
  let store = try NoteStore(at: arguments[3], schema: schema)
  for path in try inputs(at: arguments[2]) { try store.insert(try library(at: path)) }
  try store.finish()
}

func inputs(at path: String) throws -> [String] {
  var isFolder: ObjCBool = false
  guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
  else { return [path] }
  return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { "\(path)/\($0)" }
}
