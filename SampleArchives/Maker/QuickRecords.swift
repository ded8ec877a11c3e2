import Foundation

/// The quick notes of a money app, whose amounts are texts.
enum QuickRecords {
  static func sample() throws -> Sample {
    let income = TransactionType(rawValue: 0)
    let expense = TransactionType(rawValue: 1)
    // The first: 2018-01-05T09:00:00Z.
    let first = Date(timeIntervalSinceReferenceDate: 536_835_600)
    let records = [
      QuickRecord(1, "12.30", first, ["food", "taxi"], expense),
      QuickRecord(2, "-7", first.addingTimeInterval(5_400.25), ["refund"], income),
      QuickRecord(3, "1e3", nil, ["salary"], income),
      QuickRecord(4, " 5 ", first.addingTimeInterval(93_784.5), [], expense),
      QuickRecord(5, "12.", first.addingTimeInterval(180_000), ["早餐", "café"], expense),
    ]
    return try Sample(
      name: "QuickRecord", objects: records)
  }
}

/// One note of an amount.
final class QuickRecord: NSObject, NSCoding {
  let id: UUID
  let audioUUID: UUID
  let amount: String
  let createdAt: Date?
  let tags: Set<String>
  let type: TransactionType

  init(
    _ number: UInt8, _ amount: String, _ createdAt: Date?, _ tags: Set<String>,
    _ type: TransactionType
  ) {
    id = .sample(number)
    audioUUID = .sample(number + 100)
    self.amount = amount
    self.createdAt = createdAt
    self.tags = tags
    self.type = type
  }

  // Samples are only written.
  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(NSUUID(uuidString: id.uuidString), forKey: "id")
    coder.encode(NSUUID(uuidString: audioUUID.uuidString), forKey: "audioUUID")
    coder.encode(amount, forKey: "amount")
    coder.encode(createdAt, forKey: "created_at")
    coder.encode(NSSet(array: tags.sorted()), forKey: "tags")
    coder.encode(type, forKey: "type")
  }
}

/// The article's enumeration that poses as an object.
final class TransactionType: NSObject, NSCoding {
  let rawValue: Int

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  // Samples are only written.
  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(rawValue, forKey: "rawValue")
  }
}
