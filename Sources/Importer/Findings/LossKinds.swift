/// The values of one key of which the same was lost, and how many they are.
public struct ImportLossKind: Sendable, Hashable, Codable {
  /// The class.
  public var className: String
  /// The archived key.
  public var key: String
  /// The loss, in words.
  public var reason: String
  /// The number of values.
  public var count: Int
  /// The path of the archive with the first of them.
  public var archive: String
  /// The object that held it; nil for a top-level key.
  public var uid: Int?

  private enum CodingKeys: String, CodingKey {
    case archive, uid, key, reason, count
    case className = "class"
  }
}

/// Losses, counted by their kinds: so the counts are true however few losses are listed.
package struct LossKinds: Sendable {
  /// The kinds, in the order of their first values.
  package private(set) var list: [ImportLossKind] = []
  private var positions: [Kind: Int] = [:]
  /// The most recent one: usually the next loss is of the same kind.
  private var last = 0

  private struct Kind: Hashable {
    var className: String
    var key: String
    var reason: String
  }

  /// The number of kinds that are distinguished; nobody reads more lines.
  private static let maxKinds = 1_000

  package init() {}

  package init(_ list: [ImportLossKind]) {
    for kind in list { add(kind) }
  }

  /// Counts losses if they are of the most recent kind; returns whether they are.
  mutating func addToLast(
    className: String, key: String, reason: String, count: Int = 1
  ) -> Bool {
    guard last < list.count, list[last].key == key, list[last].className == className,
      list[last].reason == reason
    else { return false }
    list[last].count = list[last].count.addingBounded(count)
    return true
  }

  /// Counts losses of a kind.
  mutating func add(_ found: ImportLossKind) {
    if addToLast(
      className: found.className, key: found.key, reason: found.reason, count: found.count)
    {
      return
    }
    let kind = Kind(className: found.className, key: found.key, reason: found.reason)
    if let position = positions[kind] {
      list[position].count = list[position].count.addingBounded(found.count)
      last = position
    } else if list.count < Self.maxKinds {
      last = list.count
      positions[kind] = last
      list.append(found)
    }
  }

  /// Counts a loss, or several of its kind.
  package mutating func add(_ loss: ImportLoss, count: Int = 1) {
    add(
      ImportLossKind(
        className: loss.className, key: loss.key, reason: loss.reason, count: count,
        archive: loss.archive, uid: loss.uid))
  }

  /// Counts those of another list.
  package mutating func add(_ other: LossKinds) {
    for kind in other.list { add(kind) }
  }
}

extension ImportLossKind {
  /// The class and the key, as far as they are known: "Note.text".
  package var location: String { [className, key].filter { !$0.isEmpty }.joined(separator: ".") }
}
