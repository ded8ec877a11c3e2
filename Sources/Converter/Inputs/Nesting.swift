import ArchiveReader

extension InputFinder {
  /// The place of an archive inside of another.
  struct Nesting: Sendable {
    /// The path of the file.
    var file: String
    /// The data values that lead to the archive, one inside of the other.
    var data: [NestedData]
    /// The path of the archive around it.
    var outer: String

    /// The depth of the archive: 1 if it stands in a value of the file itself.
    var depth: Int { data.count }

    /// The object and the key that hold it.
    var place: NestedLocation? {
      data.last.map { data in
        NestedLocation(
          outer: outer, uid: data.number.map(Int.init(clamping:)), key: ArchivedKey.plain(data.key))
      }
    }
  }
}

extension InputFinder.Input {
  /// The archive that a data value of this one holds.
  func nested(_ data: NestedData) -> InputFinder.Input {
    InputFinder.Input(
      path: path + data.words, isNamed: true, nameSize: nameSize,
      nesting: InputFinder.Nesting(
        file: nesting?.file ?? path, data: (nesting?.data ?? []) + [data], outer: path))
  }
}

extension NestedData {
  /// The place as it stands after the path of the archive around it: "#12.payload", and
  /// "#12.payload[3]" for an element of a collection; "#Note 12.payload" in a Core Data store.
  fileprivate var words: String {
    let owner = number.map { (className.map { "\($0) " } ?? "") + String($0) } ?? "$top"
    return "#\(owner).\(ArchivedKey.unescaped(key))" + positions.map { "[\($0)]" }.joined()
  }
}
