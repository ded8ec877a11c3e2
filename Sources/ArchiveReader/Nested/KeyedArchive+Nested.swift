extension KeyedArchive {
  /// The archiver given for a property list that is no keyed archive.
  static let plainArchiver = "property list"

  /// True for a property list that is no keyed archive.
  package var isPlain: Bool { objectCount == 0 && archiver == Self.plainArchiver }

  /// Takes a property list that is no keyed archive for one without objects.
  ///
  /// The keys of its dictionary are the top-level keys; another value stands under the key "".
  ///
  /// - Parameter propertyList: The list.
  package convenience init(plain propertyList: PropertyList) {
    let table = propertyList.table
    guard case .dictionary(let keys, let values) = table.value(of: propertyList.top) else {
      self.init(valueOf: propertyList)
      return
    }
    self.init(
      plain: propertyList,
      (0..<keys.count).map { position in
        let key = table.name(at: table[keys, position]) ?? ""
        // An archiver writes one more "$" before such keys, which readers take away again.
        return TopLevelEntry(
          key: key.hasPrefix("$") ? "$\(key)" : key, node: table[values, position])
      })
  }

  /// Takes a property list that is no keyed archive for one without objects, whose only top-level
  /// key, "", holds the whole list.
  package convenience init(valueOf propertyList: PropertyList) {
    self.init(plain: propertyList, [TopLevelEntry(key: "", node: propertyList.top)])
  }

  /// True if a property list has a key of the format in its outermost dictionary, so that it is an
  /// archive, if a damaged one.
  package static func isArchive(_ propertyList: PropertyList) -> Bool {
    let table = propertyList.table
    guard case .dictionary(let keys, _) = table.value(of: propertyList.top) else { return false }
    return (0..<keys.count).contains {
      ["$archiver", "$objects", "$top"].contains(table.name(at: table[keys, $0]))
    }
  }

  /// Reads the archive, or another property list, that a data value holds.
  ///
  /// - Parameters:
  ///   - bytes: The value.
  ///   - limits: The limits of the reader.
  ///   - salvages: True if what can still be read of a damaged archive is read.
  ///   - positions: The names of positions in typedstreams.
  /// - Returns: The archive; one without objects for a list that is no keyed archive.
  /// - Throws: `ArchiveError` if it is damaged.
  package static func read(
    _ bytes: ByteStorage, limits: ReadingLimits, salvages: Bool = false,
    _ positions: PositionRules = PositionRules()
  ) throws(ArchiveError) -> KeyedArchive {
    let propertyList = try PropertyList(
      bytes, limits: limits, isSalvaging: salvages, positions: positions)
    do throws(ArchiveError) {
      return salvages
        ? try salvage(propertyList, limits: limits) : try KeyedArchive(propertyList)
    } catch {
      // A list that is damaged is none to be taken for what its author wrote.
      guard error.code == .notAnArchive, propertyList.losses.isEmpty else { throw error }
      return KeyedArchive(plain: propertyList)
    }
  }
}
