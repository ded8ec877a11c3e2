extension ReadingLimits {
  /// The limits by the names that users know them by.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// The deepest nesting.
    case depth
    /// The longest chain of references.
    case chain
    /// The growth by shared values.
    case expansion
    /// The number of classes.
    case classes
    /// The number of keys with collections.
    case collectionKeys = "collection-keys"
    /// The number of tables of a store.
    case tables
    /// The number of values inside of one.
    case parts
    /// The depth of archives inside of archives.
    case nesting
    /// The number of archives inside of a file.
    case nestedArchives = "nested-archives"
    /// The number of values.
    case values
    /// The memory of an XML property list.
    case xmlBytes = "xml-bytes"

    /// The highest number that the limit can be set to.
    public var highest: Int {
      switch self {
      // Some values are copied by functions that call themselves.
      case .depth: 4_096
      case .nesting: 64
      case .chain: 1_000_000
      // Nodes have numbers of 32 bits, and so do the places of values read from XML.
      case .values: Int(UInt32.max) - 1
      case .xmlBytes: ReadingLimits.firstXMLUID - 1
      case .expansion, .classes, .collectionKeys, .tables, .parts, .nestedArchives: Int(Int32.max)
      }
    }
  }

  /// The places of values read from XML have numbers below this: those from it on are UIDs.
  package static var firstXMLUID: Int { 0xF000_0000 }

  /// A limit by its name.
  public subscript(name: Name) -> Int {
    get { self[keyPath: Self.path(name)] }
    set { self[keyPath: Self.path(name)] = newValue }
  }

  private static func path(_ name: Name) -> WritableKeyPath<ReadingLimits, Int> {
    switch name {
    case .depth: \.depth
    case .chain: \.chain
    case .expansion: \.expansion
    case .classes: \.classes
    case .collectionKeys: \.collectionKeys
    case .tables: \.tables
    case .parts: \.parts
    case .nesting: \.nesting
    case .nestedArchives: \.nestedArchives
    case .values: \.values
    case .xmlBytes: \.xmlBytes
    }
  }

  /// The error of a file that goes beyond a limit.
  ///
  /// - Parameters:
  ///   - name: The limit.
  ///   - position: The position at which the file does so.
  /// - Returns: The error, which holds the limit and its value.
  package func exceeded(
    _ name: Name, at position: ArchiveError.Position? = nil
  ) -> ArchiveError {
    let code: ArchiveError.Code =
      switch name {
      case .depth, .chain, .nesting: .tooDeep
      case .expansion: .expansion
      case .classes, .collectionKeys, .tables, .parts, .nestedArchives, .values, .xmlBytes:
        .tooMany
      }
    var error = ArchiveError(code, at: position, name: "\(self[name])")
    error.limit = name
    return error
  }
}
