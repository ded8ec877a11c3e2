import GraphCore

/// Names that are looked up without regard to case, since an XML store does not keep it.
struct FoldedNames: Sendable {
  /// For each folded name the places of those that it stands for.
  private var places: [String: [Int]] = [:]
  private let names: [String]

  init(_ names: [String]) {
    self.names = names
    for (place, name) in names.enumerated() { places[name.lowercased(), default: []].append(place) }
  }

  /// The place of a name.
  ///
  /// - Parameter name: The name, in any case.
  /// - Returns: Its place; nil if there is none like it.
  /// - Throws: `ArchiveError` if several names differ only in case.
  func place(of name: String) throws(ArchiveError) -> Int? {
    // Those of properties are in small letters already.
    guard let found = places[name] ?? places[name.lowercased()], let first = found.first else {
      return nil
    }
    guard found.count == 1 else {
      throw ArchiveError(.ambiguousName, name: found.map { names[$0] }.joined(separator: " and "))
    }
    return first
  }
}
