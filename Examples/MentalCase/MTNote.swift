import Foundation
import Importer

/// A note: a card with a question and an answer.
final class MTNote: MTModelObject {
  required init(coder: ImportCoder) throws {
    try super.init(coder: coder)
    self["title"] = try coder.decodeString(forKey: "title")
    self["rank"] = try coder.decodeInteger(forKey: "rank")
    self["hints"] = try coder.decodeObject(forKey: "hints")
    self["link"] = try coder.decodeURL(forKey: "link")
    self["sketch"] = try coder.decodeData(forKey: "sketch")
    self["sound"] = try coder.decodeData(forKey: "sound")
    self["syncIdentifier"] = try coder.decodeUUID(forKey: "syncIdentifier")
    self["tags"] = try Self.tags(of: coder)
    self["price"] = try Self.price(of: coder)
    if coder.containsValue(forKey: "isEditable") {
      isEditable = try coder.decodeBool(forKey: "isEditable")
    }
    // Notes that were never asked have no ease; the model's default is for them.
    if coder.containsValue(forKey: "ease") {
      self["ease"] = try coder.decodeFloat(forKey: "ease")
    }

    // The key has a new name. Before version 1 it was "answer" already.
    let key = try Self.version(of: coder) < 1 ? "answer" : "text"
    self["answer"] = try coder.decodeString(forKey: key)

    let created = try coder.decodeDate(forKey: "creationDate")
    self["creationDate"] = created
    self["modificationDate"] = try coder.decodeDate(forKey: "modificationDate") ?? created

    // The folder's hook sets notes; the inverse follows.
    coder.ignore("container")
  }

  /// The tags, which were texts, as rows: one for each name, however many notes have it.
  private static func tags(of coder: ImportCoder) throws -> [DestinationInstance] {
    try coder.decodeArray(of: String.self, forKey: "tags").map { name in
      try coder.context.findOrInsert(into: "MTTag", identity: ["name": .text(name)])
    }
  }

  /// The price, which before version 1 was a number of cents.
  private static func price(of coder: ImportCoder) throws -> Decimal? {
    guard try version(of: coder) < 1 else { return try coder.decodeDecimal(forKey: "price") }
    guard coder.containsValue(forKey: "cents") else { return nil }
    return Decimal(try coder.decodeInteger(forKey: "cents")) / 100
  }
}
