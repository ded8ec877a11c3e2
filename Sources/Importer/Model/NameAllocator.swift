/// Gives each of several things a name of its own, as SQLite compares names: without regard to the
/// case of ASCII letters.
///
/// A name that is taken gets `_2`, `_3` and so on.
struct NameAllocator {
  private var taken: Set<String>
  private var lastNumbers: [String: Int] = [:]

  init(reserved: [String]) {
    taken = Set(reserved.map(Self.folded))
  }

  /// Gives a name.
  ///
  /// - Parameters:
  ///   - wanted: The name to give if it can be had.
  ///   - allows: Whether it can be had for what needs it.
  /// - Returns: The name, or the first with a number behind it that is free and allowed.
  mutating func allocate(
    _ wanted: String, where allows: (String) -> Bool = { _ in true }
  ) -> String {
    let name = Self.allowed(wanted)
    if allows(name), taken.insert(Self.folded(name)).inserted { return name }
    var number = lastNumbers[Self.folded(name)] ?? 1
    while true {
      number += 1
      let candidate = "\(name)_\(number)"
      if allows(candidate), taken.insert(Self.folded(candidate)).inserted {
        lastNumbers[Self.folded(name)] = number
        return candidate
      }
    }
  }

  /// A name that SQLite takes: not empty, without NUL, and without the prefix that it keeps to
  /// itself.
  private static func allowed(_ name: String) -> String {
    let name = name.replacing("\0", with: "\u{FFFD}")
    if name.isEmpty { return "_" }
    return folded(name).hasPrefix("sqlite_") ? "_" + name : name
  }

  /// A name as SQLite compares it.
  static func folded(_ name: String) -> String {
    // Only ASCII letters: `lowercased()` would fold others, which SQLite tells apart.
    String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
  }
}
