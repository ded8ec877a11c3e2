import Foundation

final class ArchivedLibrary: NSObject, NSCoding {
  let folders: [ArchivedFolder]

  init?(coder: NSCoder) {
    folders = coder.decodeObject(forKey: "folders") as? [ArchivedFolder] ?? []
  }

  func encode(with coder: NSCoder) {}
}

final class ArchivedFolder: NSObject, NSCoding {
  let name: String?
  let uniqueID: String
  let createdAt: Date?
  let notes: [ArchivedNote]

  init?(coder: NSCoder) {
    name = coder.decodeObject(forKey: "name") as? String
    uniqueID = coder.decodeObject(forKey: "uniqueId") as? String ?? ""
    createdAt = (coder.decodeObject(forKey: "createdAt") as? NSDate).map { $0 as Date }
    notes = coder.decodeObject(forKey: "notes") as? [ArchivedNote] ?? []
  }

  func encode(with coder: NSCoder) {}
}

final class ArchivedNote: NSObject, NSCoding {
  let uniqueID: String
  let title: String?
  let body: String?
  let amount: Double
  let isEditable: Bool
  let rank: Int
  let createdAt: Date?
  let tags: String?
  let price: ArchivedPrice?
  let syncID: UUID?
  let link: URL?
  let attachment: Data?

  init?(coder: NSCoder) {
    uniqueID = coder.decodeObject(forKey: "uniqueId") as? String ?? ""
    title = coder.decodeObject(forKey: "title") as? String
    body = coder.decodeObject(forKey: "body") as? String
    amount = coder.decodeDouble(forKey: "amount")
    isEditable = coder.decodeBool(forKey: "isEditable")
    rank = coder.decodeInteger(forKey: "rank")
    createdAt = (coder.decodeObject(forKey: "createdAt") as? NSDate).map { $0 as Date }
    tags = coder.decodeObject(forKey: "tags") as? String
    price = coder.decodeObject(forKey: "price") as? ArchivedPrice
    syncID = (coder.decodeObject(forKey: "syncId") as? NSUUID).map { $0 as UUID }
    link = (coder.decodeObject(forKey: "link") as? NSURL).map { $0 as URL }
    attachment = (coder.decodeObject(forKey: "attachment") as? NSData).map { $0 as Data }
  }

  func encode(with coder: NSCoder) {}
}

/// A decimal number, in parts.
final class ArchivedPrice: NSObject, NSCoding {
  let text: String

  init?(coder: NSCoder) {
    let length = Int(coder.decodeInt32(forKey: "NS.length"))
    let exponent = Int(coder.decodeInt32(forKey: "NS.exponent"))
    let bytes = coder.withDecodedUnsafeBufferPointer(forKey: "NS.mantissa") { bytes in
      bytes.map { Array($0) } ?? []
    }
    var number = Decimal(0)
    for word in (0..<min(length, bytes.count / 2)).reversed() {
      number = number * 65_536 + Decimal(Int(bytes[2 * word]) | Int(bytes[2 * word + 1]) << 8)
    }
    if coder.decodeBool(forKey: "NS.negative") { number.negate() }
    text = Decimal(sign: .plus, exponent: exponent, significand: number).description
  }

  func encode(with coder: NSCoder) {}
}
