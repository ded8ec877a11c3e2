import GraphCore

/// Names that are looked up without regard to case, since an XML store does not keep it.
///
/// Some letters have several as their counterpart: "Größe" is "GRÖSSE" in capitals, and no name in
/// small letters gives that back. So names are compared as the store has them.
struct FoldedNames: Sendable {
  /// The letters that a store keeps names in.
  enum Letters {
    /// The letters of the names of entities.
    case capital
    /// The letters of the names of properties.
    case small
  }

  /// For each name in the store's letters the places of those that it stands for.
  private var places: [String: [Int]] = [:]
  /// The same in capitals, for names that are found in no other way.
  private var capitals: [String: [Int]] = [:]
  private let names: [String]
  private let letters: Letters

  init(_ names: [String], in letters: Letters) {
    (self.names, self.letters) = (names, letters)
    for (place, name) in names.enumerated() {
      capitals[name.uppercased(), default: []].append(place)
      if letters == .small { places[name.lowercased(), default: []].append(place) }
    }
  }

  /// The place of a name.
  ///
  /// - Parameter name: The name, in any case.
  /// - Returns: Its place; nil if there is none like it.
  /// - Throws: `ArchiveError` if several names differ only in case.
  func place(of name: String) throws(ArchiveError) -> Int? {
    // Those of properties are in small letters already.
    let known = letters == .small ? places[name] ?? places[name.lowercased()] : nil
    guard let found = known ?? capitals[name.uppercased()], let first = found.first else {
      return nil
    }
    guard found.count == 1 else {
      throw ArchiveError(.ambiguousName, name: found.map { names[$0] }.joined(separator: " and "))
    }
    return first
  }
}
