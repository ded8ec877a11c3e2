extension KeyedArchive {
  /// Reads what can still be read of a damaged archive.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limits: The limits of the reader.
  /// - Returns: The archive; `salvage` tells what was lost, and is nil if nothing was.
  /// - Throws: `ArchiveError` if the file never was an archive, or nothing of it can be read.
  /// - Complexity: Linear in the size of the file, which is held in memory if it is damaged.
  public static func salvage(
    contentsOf path: String, limits: ReadingLimits = .standard
  ) throws(ArchiveError) -> KeyedArchive {
    try salvage(try ByteStorage(contentsOf: path), limits: limits)
  }

  /// Reads what can still be read of the bytes of a damaged archive.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - limits: The limits of the reader.
  /// - Returns: The archive; `salvage` tells what was lost, and is nil if nothing was.
  /// - Throws: `ArchiveError` if these never were an archive, or nothing of it can be read.
  public static func salvage(
    bytes: some Collection<UInt8>, limits: ReadingLimits = .standard
  ) throws(ArchiveError) -> KeyedArchive {
    guard !bytes.isEmpty else { throw ArchiveError(.empty) }
    return try salvage(ByteStorage(bytes), limits: limits)
  }

  /// Reads what can still be read of a damaged archive.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: The limits of the reader.
  ///   - positions: The names of positions in typedstreams.
  /// - Returns: The archive; `salvage` tells what was lost, and is nil if nothing was.
  /// - Throws: `ArchiveError` if the file never was an archive, or nothing of it can be read.
  package static func salvage(
    _ file: ByteStorage, limits: ReadingLimits, _ positions: PositionRules = PositionRules()
  ) throws(ArchiveError) -> KeyedArchive {
    let propertyList = try PropertyList(
      file, limits: limits, isSalvaging: true, positions: positions)
    do throws(ArchiveError) {
      return try salvage(propertyList, limits: limits)
    } catch {
      // An offset may lead to another object than that of the frame.
      guard [.notAnArchive, .missingObjects].contains(error.code),
        propertyList.format == .binary, propertyList.losses.isEmpty,
        let repaired = try? PropertyList(repairing: file, after: error, limits: limits)
      else { throw error }
      return try salvage(repaired, limits: limits)
    }
  }

  /// Reads what can still be read of a damaged archive.
  ///
  /// - Parameters:
  ///   - propertyList: The readable part of the file.
  ///   - limits: The limits of the reader.
  /// - Returns: The archive.
  /// - Throws: `ArchiveError` if the list is no archive, or nothing of it can be read.
  static func salvage(
    _ propertyList: PropertyList, limits: ReadingLimits
  ) throws(ArchiveError) -> KeyedArchive {
    var losses = propertyList.losses
    let archive: KeyedArchive
    do throws(ArchiveError) {
      archive = try KeyedArchive(propertyList)
      if archive.isSound(limits) { return archive }
    } catch {
      guard error.code.leavesRest else {
        // A damaged list without an archive in the rest may have been one.
        throw error.code == .notAnArchive ? losses.first ?? error : error
      }
      archive = try KeyedArchive(damaged: propertyList, losses: &losses)
    }
    return try Salvager.salvage(archive, losses: losses, limits: limits)
  }

  /// True if all that the top-level keys lead to can be read.
  private func isSound(_ limits: ReadingLimits) -> Bool {
    guard propertyList.losses.isEmpty, propertyList.damagedNodes.isEmpty else { return false }
    var walk = ArchiveWalk(self, ArchiveGraph(self, GraphOptions(limits: limits)))
    return (try? walk.readAll()) != nil
  }
}
