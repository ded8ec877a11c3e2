import ArchiveReader
import ArchiveWriter
import Foundation
import GraphCore
import Support
import Verification

/// Makes the objects that JSON stands for: each case is the other way of the type or the list of
/// parts that reads the class.
///
/// Parts that it leaves out are found when the object is read again.
struct ItemMaker {
  typealias Item = StoreRows.Item
  typealias InstanceForm = StoreRows.InstanceForm
  typealias Fields = [String: JSONTree]

  /// The classes and keys that occurred, by their names.
  private var forms: [[String]: InstanceForm] = [:]

  /// An object, or a number; nil if there is none for the value.
  mutating func item(_ json: JSONTree?) -> Item? {
    switch json {
    case nil: nil
    case .null?: Item.none
    case .bool(let flag)?: .plain(.bool(flag))
    case .integer(let integer)?: .plain(.integer(integer))
    case .real(let real)?: .plain(.real(real))
    case .text(let text)?: string(text)
    case .list(let list)?: items(list).map { .collection(.array, keys: [], values: $0) }
    case .record(let fields)?:
      if let name = fields["class"]?.text { object(name, fields) } else { dictionary(fields) }
    }
  }

  private mutating func items(_ list: [JSONTree]?) -> [Item]? {
    guard let list else { return nil }
    var items: [Item] = []
    for json in list {
      guard let item = item(json) else { return nil }
      items.append(item)
    }
    return items
  }

  mutating func dictionary(_ fields: Fields?) -> Item? {
    guard let fields else { return nil }
    let sorted = fields.sorted { $0.key.precedesInBytes($1.key) }
    guard let values = items(sorted.map(\.value)) else { return nil }
    let keys = sorted.map { Item.object(.string($0.key)) }
    return .collection(.dictionary, keys: keys, values: values)
  }

  private func string(_ text: String) -> Item? {
    FoundationItems.obstacle(to: text) == nil ? .object(.string(text)) : nil
  }

  mutating func instance(_ className: String, _ pairs: [(String, Item?)]) -> Item {
    let there = pairs.compactMap { pair in pair.1.map { (pair.0, $0) } }
    let names = [className] + there.map(\.0)
    let form = forms[names] ?? InstanceForm(className, Array(names.dropFirst()))
    forms[names] = form
    return .instance(form, there.map(\.1))
  }

  // MARK: Plain values

  func integer(_ json: JSONTree?) -> Item? { json?.integer.map { .plain(.integer($0)) } }

  func integer(_ number: Int) -> Item { .plain(.integer(Int64(number))) }

  func real(_ json: JSONTree?) -> Item? { json?.real.map { .plain(.real($0)) } }

  private func data(_ json: JSONTree?) -> Item? {
    json?.text.flatMap { Data(base64Encoded: $0) }.map { .object(.data($0)) }
  }

  private func seconds(_ json: JSONTree?) -> Double? {
    guard let text = json?.text else { return nil }
    return try? ArchiveEditor.seconds(text) { reason in
      EditError(table: "", row: nil, column: "", reason: reason)
    }
  }

  private func date(_ json: JSONTree?) -> Item? {
    seconds(json).map { .instance(.date, [.plain(.real($0))]) }
  }

  private func url(_ json: JSONTree?) -> Item? {
    json?.text.flatMap { string($0) }.map { .instance(.url, [.none, $0]) }
  }

  /// Numbers as C prints them.
  private static func words(_ numbers: [Double]?) -> [String]? {
    numbers?.map { $0.isFinite && $0 == $0.rounded() && abs($0) < 1e15 ? "\(Int64($0))" : "\($0)" }
  }

  private func numbers(_ fields: Fields?, _ names: String...) -> [String]? {
    let numbers = names.compactMap { fields?[$0]?.real }
    return numbers.count == names.count ? Self.words(numbers) : nil
  }

  func pair(_ fields: Fields?, _ one: String, _ other: String) -> Item? {
    numbers(fields, one, other).map { .object(.string("{\($0[0]), \($0[1])}")) }
  }

  func rect(_ fields: Fields?) -> Item? {
    numbers(fields, "x", "y", "width", "height").map {
      .object(.string("{{\($0[0]), \($0[1])}, {\($0[2]), \($0[3])}}"))
    }
  }

  /// Numbers as text that ends with a zero byte.
  func components(_ json: JSONTree?) -> Item? {
    let words = Self.words(json?.list?.compactMap(\.real))
    return words.map { .plain(.data(Data(($0.joined(separator: " ") + "\0").utf8))) }
  }

  func packed(_ integers: [Int64]) -> Item? {
    let integers = integers.compactMap { Int(exactly: $0) }
    return integers.contains { $0 < 0 } ? nil : .object(.data(Data(PackedIntegers.bytes(integers))))
  }

  // MARK: Objects

  private mutating func object(_ name: String, _ fields: Fields) -> Item? {
    switch name {
    case "NSNull": return .instance(.null, [])
    case "NSDate": return date(fields["date"])
    case "NSData": return data(fields["base64"])
    case "NSURL": return url(fields["url"])
    case "Class": return fields["name"]?.text.map { .className($0) }
    case "NSUUID":
      return fields["uuid"]?.text.flatMap { UUID(uuidString: $0) }.map {
        .instance(.uuid, [.plain(.data(Data($0.bytes)))])
      }
    case "NSDecimalNumber":
      return fields["value"]?.text.flatMap { try? KeyedArchiveBuilder.decimalPairs($0) }
        .map { FoundationItems.decimal($0) }
    case "NSNumber":
      return fields["value"]?.text.flatMap { UInt64($0) }.map { .plain(.unsigned($0)) }
    case "NSSet":
      return items(fields["elements"]?.list).map { .collection(.set, keys: [], values: $0) }
    case "NSOrderedSet":
      return items(fields["elements"]?.list).map { .collection(.orderedSet, keys: [], values: $0) }
    case "NSCountedSet": return pairs(.countedSet, fields)
    case "NSDictionary": return pairs(.dictionary, fields)
    default:
      guard let known = FoundationClass(archivedName: name) else { return nil }
      if let parts = known.parts { return object(name, parts, fields) }
      return special(known.name, name, fields)
    }
  }

  private mutating func pairs(_ kind: CollectionKind, _ fields: Fields) -> Item? {
    let pairs = fields["pairs"]?.list?.compactMap { $0.list?.count == 2 ? $0.list : nil }
    guard let pairs, let keys = items(pairs.map { $0[0] }),
      let values = items(pairs.map { $0[1] })
    else { return nil }
    return .collection(kind, keys: keys, values: values)
  }

  // MARK: Lists of parts

  private mutating func object(
    _ name: String, _ parts: [PartList.Part], _ fields: Fields
  ) -> Item? {
    var pairs: [(String, Item?)] = []
    let others = Set(fields.keys).subtracting(parts.map(\.name)).subtracting(["class"])
    for part in parts {
      guard let key = part.keys.first else { continue }
      switch part.kind {
      case .mark: continue
      case .inlined(let inner) where !others.isEmpty:
        guard let list = FoundationClass(archivedName: inner)?.parts else { continue }
        pairs.append((key, object(inner, list, fields)))
      case .inlined: continue
      case .rest:
        let rest = (fields[part.name]?.record ?? [:]).sorted { $0.key.precedesInBytes($1.key) }
        for (end, json) in rest { pairs.append((key + end, item(json))) }
      default: pairs.append((key, item(fields[part.name], part.kind)))
      }
    }
    return instance(name, pairs)
  }

  private mutating func item(_ json: JSONTree?, _ kind: PartList.Kind) -> Item? {
    switch kind {
    case .real: real(json)
    case .data: data(json)
    case .date: date(json)
    case .seconds: seconds(json).map { .plain(.real($0)) }
    case .url: url(json)
    case .point: pair(json?.record, "x", "y")
    case .size: pair(json?.record, "width", "height")
    case .rect: rect(json?.record)
    case .packedRange: packedRange(json?.record)
    default: item(json)
    }
  }

  private func packedRange(_ fields: Fields?) -> Item? {
    guard let location = fields?["location"]?.integer.flatMap({ UInt32(exactly: $0) }),
      let length = fields?["length"]?.integer.flatMap({ UInt32(exactly: $0) })
    else { return nil }
    return .plain(.integer(Int64(bitPattern: UInt64(location) << 32 | UInt64(length))))
  }
}
