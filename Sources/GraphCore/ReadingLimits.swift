/// The limits of a reader on a file, beyond which the file counts as hostile.
public struct ReadingLimits: Hashable, Sendable {
  /// The deepest nesting of arrays and dictionaries inside one entry of an archive.
  public var depth: Int
  /// The longest chain of references that stands for one value, such as an NSURL and its bases.
  public var chain: Int
  /// The factor by which an archive may grow when shared values and collections are written for
  /// each object that holds them.
  ///
  /// A collection that many owners share is written for each, so a small file can ask for a large
  /// store.
  public var expansion: Int

  /// The most classes with objects in an archive.
  ///
  /// Each becomes a table.
  public var classes: Int
  /// The most keys of its classes that hold collections.
  ///
  /// Each may become a table too.
  public var collectionKeys: Int
  /// The most tables in a store, whatever it is made of.
  ///
  /// SQLite looks at all tables for each one that is made, so the time grows with the square.
  public var tables: Int
  /// The most values inside of one value, such as the attributes of a text.
  ///
  /// An object with more is read as an object with keys of its own.
  public var parts: Int
  /// The most values in a property list: strings, numbers, collections, UIDs.
  public var values: Int
  /// The most bytes of memory for the values of an XML property list.
  ///
  /// Also the longest text; texts that are left in the file do not count. Less than 3.75 GiB:
  /// values are addressed with 32 bits, and some of the numbers stand for UIDs.
  public var xmlBytes: Int
  /// The depth to which archives inside of archives are opened: 1 is those in a file's own values.
  public var nesting: Int
  /// The most archives inside of one file that are opened.
  public var nestedArchives: Int

  /// Creates limits.
  ///
  /// The defaults are far above what real archives need.
  public init(
    depth: Int = 512, chain: Int = 64, expansion: Int = 64, classes: Int = 10_000,
    collectionKeys: Int = 10_000, tables: Int = 4_000, parts: Int = 1_000_000,
    values: Int = 1 << 30,
    xmlBytes: Int = 1 << 31, nesting: Int = 8, nestedArchives: Int = 10_000
  ) {
    self.depth = depth
    self.chain = chain
    self.expansion = expansion
    self.classes = classes
    self.collectionKeys = collectionKeys
    self.tables = tables
    self.parts = parts
    self.values = values
    self.xmlBytes = xmlBytes
    self.nesting = nesting
    self.nestedArchives = nestedArchives
  }

  /// The limits that are used where none are given.
  public static let standard = ReadingLimits()
}

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
