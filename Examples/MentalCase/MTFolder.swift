import Importer

/// A folder: it holds folders and notes.
final class MTFolder: MTModelObject {
  required init(coder: ImportCoder) throws {
    try super.init(coder: coder)
    self["title"] = try coder.decodeString(forKey: "title")
    if coder.containsValue(forKey: "isEditable") {
      isEditable = try coder.decodeBool(forKey: "isEditable")
    }
    // One side is enough: parent and container follow.
    self["folders"] = try coder.decodeObject(forKey: "folders")
    self["notes"] = try coder.decodeObject(forKey: "notes")
    coder.ignore("parent")
  }
}
