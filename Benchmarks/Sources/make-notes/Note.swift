import Foundation

/// A folder of notes, as the app had it.
struct Folder {
  var name: String
  var uniqueID: String
  var createdAt: Double
  var notes: [Note]
}

/// A note: texts, numbers, and values that few notes have.
struct Note {
  var uniqueID: String
  var title: String
  var body: String
  var amount: Double
  var isEditable: Bool
  var rank: Int
  var createdAt: Double
  var tags: String?
  var price: String?
  var syncID: UUID?
  var link: String?
  var attachment: Attachment?

  struct Attachment {
    var bytes: Data
    var isMutable: Bool
  }
}
