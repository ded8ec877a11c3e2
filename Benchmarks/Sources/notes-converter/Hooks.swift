import Importer

/// The library, which holds the folders.
final class Library: ImportedObject {
  required init(coder: ImportCoder) throws {
    try super.init(coder: coder)
    self["schemaVersion"] = try coder.decodeInteger(forKey: "schemaVersion")
    self["exportedAt"] = try coder.decodeDate(forKey: "exportedAt")
    self["folders"] = try coder.decodeObject(forKey: "folders")
  }
}

/// A folder.
///
/// Its notes get it as their container, since that is the inverse.
final class Folder: ImportedObject {
  required init(coder: ImportCoder) throws {
    try super.init(coder: coder)
    self["name"] = try coder.decodeString(forKey: "name")
    self["uniqueId"] = try coder.decodeString(forKey: "uniqueId")
    self["createdAt"] = try coder.decodeDate(forKey: "createdAt")
    self["notes"] = try coder.decodeObject(forKey: "notes")
  }
}

/// A note, value by value.
final class Note: ImportedObject {
  required init(coder: ImportCoder) throws {
    try super.init(coder: coder)
    self["uniqueId"] = try coder.decodeString(forKey: "uniqueId")
    self["title"] = try coder.decodeString(forKey: "title")
    self["body"] = try coder.decodeString(forKey: "body")
    self["amount"] = try coder.decodeDouble(forKey: "amount")
    self["isEditable"] = try coder.decodeBool(forKey: "isEditable")
    self["rank"] = try coder.decodeInteger(forKey: "rank")
    self["createdAt"] = try coder.decodeDate(forKey: "createdAt")
    self["tags"] = try coder.decodeString(forKey: "tags")
    self["price"] = try coder.decodeDecimal(forKey: "price")
    self["syncId"] = try coder.decodeUUID(forKey: "syncId")
    self["link"] = try coder.decodeURL(forKey: "link")
    self["attachment"] = try coder.decodeData(forKey: "attachment")
    coder.ignore("container")
  }
}
