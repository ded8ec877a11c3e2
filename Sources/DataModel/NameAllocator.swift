import Foundation
import Support

/// Gives each of several things a name of its own, as SQLite compares names, without regard to the
/// case of ASCII letters, and as people and Swift do, without regard to how Unicode writes a
/// letter.
///
/// A name that is taken gets `_2`, `_3` and so on.
package struct NameAllocator {
  private var taken: Set<String>
  private var lastNumbers: [String: Int] = [:]

  package init(reserved: [String]) {
    taken = []
    for name in reserved { _ = take(name) }
  }

  /// Gives a name.
  ///
  /// - Parameters:
  ///   - wanted: The name to give if it can be had.
  ///   - allows: True if a name can be had for what needs it.
  /// - Returns: The name, or the first with a number after it that is free and allowed.
  package mutating func allocate(
    _ wanted: String, where allows: (String) -> Bool = { _ in true }
  ) -> String {
    let name = Self.allowed(wanted)
    if allows(name), take(name) { return name }
    var number = lastNumbers[name.folded] ?? 1
    while true {
      number += 1
      let candidate = "\(name)_\(number)"
      if allows(candidate), take(candidate) {
        lastNumbers[name.folded] = number
        return candidate
      }
    }
  }

  /// Takes a name; returns false, and takes nothing, if there is one like it.
  private mutating func take(_ name: String) -> Bool {
    let forms = Self.forms(name)
    guard taken.isDisjoint(with: forms) else { return false }
    taken.formUnion(forms)
    return true
  }

  /// The forms of a name by which it is compared with others: as SQLite folds it, and as it would
  /// fold what it looks like.
  ///
  /// To Swift, the sign for kelvin is a K.
  package static func forms(_ name: String) -> [String] {
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return [name.folded] }
    return [name.folded, name.precomposedStringWithCanonicalMapping.folded]
  }

  /// A name that SQLite takes: not empty, without NUL, and without the prefix that it keeps to
  /// itself.
  private static func allowed(_ name: String) -> String {
    let name = name.replacing("\0", with: "\u{FFFD}")
    if name.isEmpty { return "_" }
    return name.folded.hasPrefix("sqlite_") ? "_" + name : name
  }
}
