import ArchiveReader
import Foundation

final class Library: KeyedDecodable {
  private(set) var folders: [Folder] = []
  let exportedAt: Date?

  init(coder: KeyedCoder) throws {
    exportedAt = try coder.decodeDate(forKey: "exportedAt")
    try coder.decodeReferences(to: Folder.self, forKey: "folders") { self.folders = $0 }
  }
}

final class Folder: KeyedDecodable {
  let name: String?
  let uniqueID: String?
  let createdAt: Date?
  private(set) var notes: [Note] = []

  init(coder: KeyedCoder) throws {
    name = try coder.decodeString(forKey: "name")
    uniqueID = try coder.decodeString(forKey: "uniqueId")
    createdAt = try coder.decodeDate(forKey: "createdAt")
    try coder.decodeReferences(to: Note.self, forKey: "notes") { self.notes = $0 }
  }
}

final class Note: KeyedDecodable {
  let uniqueID: String?
  let title: String?
  let body: String?
  let amount: Double
  let isEditable: Bool
  let rank: Int
  let createdAt: Date?
  let tags: String?
  let price: Decimal?
  let syncID: UUID?
  let link: URL?
  let attachment: Data?
  private(set) weak var container: Folder?

  init(coder: KeyedCoder) throws {
    uniqueID = try coder.decodeString(forKey: "uniqueId")
    title = try coder.decodeString(forKey: "title")
    body = try coder.decodeString(forKey: "body")
    amount = try coder.decodeDouble(forKey: "amount")
    isEditable = try coder.decodeBool(forKey: "isEditable")
    rank = try coder.decodeInteger(forKey: "rank")
    createdAt = try coder.decodeDate(forKey: "createdAt")
    tags = try coder.decodeString(forKey: "tags")
    price = try coder.decodeDecimal(forKey: "price")
    syncID = try coder.decodeUUID(forKey: "syncId")
    link = try coder.decodeURL(forKey: "link")
    attachment = try coder.decodeData(forKey: "attachment")
    try coder.decodeReference(to: Folder.self, forKey: "container") { self.container = $0 }
  }
}
