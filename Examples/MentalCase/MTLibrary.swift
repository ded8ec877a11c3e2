import Importer

/// The library, in the other form of a hook: a function without an object.
struct MTLibrary: ImportHook {
  static let archivedClassNames = ["MTLibrary"]

  static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
    let library = try coder.insert(into: "MTLibrary")
    library["uniqueId"] = try coder.decodeString(forKey: "uniqueId")
    library["title"] = try coder.decodeString(forKey: "title")
    library["folders"] = try coder.decodeObject(forKey: "folders")
    return library
  }
}
