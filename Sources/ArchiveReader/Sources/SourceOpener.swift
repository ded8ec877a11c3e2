import Support

/// Opens files as sources, each as its bytes say.
package struct SourceOpener: Sendable {
  /// The kinds of source, in the order in which they are asked.
  package let kinds: [any SourceKind]
  /// The limits on hostile files.
  package let limits: ReadingLimits
  /// True if the readable part of a damaged file is read.
  package let salvages: Bool
  /// True if errors of files that end too early say that `salvages` may help.
  package let offersSalvage: Bool
  /// The rules for which dictionaries are records.
  package let records: RecordRules
  /// The names of classes whose objects are seen through: see `UnwrappedSource`.
  package let wrapperClasses: Set<String>
  /// True if property lists that are no archives, but hold some in data values, are opened as
  /// archives without objects.
  package let opensNested: Bool
  /// The ways to archives in files and data values that do not begin as one, each in its steps.
  package let unwrapWays: [[UnwrapStep]]
  /// The names of positions in typedstreams.
  package let positions: PositionRules

  package init(
    kinds: [any SourceKind] = [KeyedArchiveKind()], limits: ReadingLimits = .standard,
    salvages: Bool = false, offersSalvage: Bool = false, records: RecordRules = RecordRules(),
    wrapperClasses: Set<String> = [], opensNested: Bool = false, unwrapWays: [[UnwrapStep]] = [],
    positions: PositionRules = PositionRules()
  ) {
    (self.kinds, self.limits, self.records) = (kinds, limits, records)
    (self.salvages, self.offersSalvage) = (salvages, offersSalvage)
    self.wrapperClasses = wrapperClasses
    (self.opensNested, self.unwrapWays) = (opensNested, unwrapWays)
    self.positions = positions
  }

  /// A source with its records, and without its wrappers.
  func withRecords(_ source: any GraphSource) -> any GraphSource {
    let options = GraphOptions(limits: limits)
    var base = source.withoutRecords
    if !(base is UnwrappedSource) { base = UnwrappedSource.make(base, wrapperClasses, options) }
    return RecordSource.make(base, records, options)
  }

  /// True for the beginning of a source, and of a file that wraps an archive.
  package func recognizes(_ head: FileHead) -> Bool {
    kinds.contains { $0.recognizes(head) } || way(into: head) != nil
  }

  /// True for a data value that begins as an archive, or wraps one.
  package func recognizesNested(_ bytes: BorrowedBytes) -> Bool {
    FileKind.isPropertyList(bytes) || way(into: FileHead(bytes)) != nil
  }

  /// The first way that leads to the beginning of a property list.
  private func way(into head: @autoclosure () -> FileHead) -> [UnwrapStep]? {
    guard !unwrapWays.isEmpty else { return nil }
    let head = head()
    return unwrapWays.first { FileKind.isPropertyList($0.unwrap(head)) }
  }

  /// Bytes without what is around them, if they begin as nothing that is known.
  private func unwrapped(_ bytes: ByteStorage) throws(ArchiveError) -> ByteStorage {
    guard let way = way(into: bytes.head), !FileKind.isPropertyList(bytes.head) else {
      return bytes
    }
    return try way.unwrap(bytes, limits)
  }

  /// The files next to a file that hold a part of what it says: see
  /// `SourceKind.companions(of:at:)`.
  package func companions(of head: FileHead, at path: String) -> [String] {
    kinds.first { $0.recognizes(head) }?.companions(of: head, at: path) ?? []
  }

  /// The files that an earlier run made a file of: see `SourceKind.origins(of:at:)`.
  package func origins(of head: FileHead, at path: String) -> [FileOrigin] {
    kinds.first { $0.recognizes(head) }?.origins(of: head, at: path) ?? []
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - path: The path of the file.
  /// - Returns: The source.
  /// - Throws: `ArchiveError` if the file is no source, or not sound.
  package func open(
    _ file: ByteStorage, at path: String?
  ) throws(ArchiveError) -> any GraphSource {
    let head = file.head
    // The reader of archives says what else a file is.
    guard let kind = kinds.first(where: { $0.recognizes(head) }), !(kind is KeyedArchiveKind) else {
      do throws(ArchiveError) {
        return withRecords(try openArchive(try unwrapped(file)))
      } catch {
        throw explained(error)
      }
    }
    return withRecords(try kind.open(file, at: path, limits: limits, salvages: salvages))
  }

  private func openArchive(_ bytes: ByteStorage) throws(ArchiveError) -> any GraphSource {
    do throws(ArchiveError) {
      return try KeyedArchiveKind(positions: positions)
        .open(bytes, at: nil, limits: limits, salvages: salvages)
    } catch {
      guard opensNested, error.code == .notAnArchive, FileKind.isPropertyList(bytes.head),
        let list = try? PropertyList(bytes, limits: limits),
        case let archive = KeyedArchive(plain: list),
        let nested = try? NestedDataFinder.find(
          in: archive, limits: limits, recognizesNested, most: 1), !nested.isEmpty
      else { throw error }
      return archive
    }
  }

  /// An error of a damaged archive with the use of salvaging it.
  private func explained(_ error: ArchiveError) -> ArchiveError {
    var error = error
    if salvages {
      error.salvage = error.code.leavesRest ? .failed : nil
    } else if offersSalvage, error.code.isTruncation {
      error.salvage = .untried
    }
    return error
  }

  /// Opens the archive, or another property list, that a data value of a source holds.
  ///
  /// - Parameters:
  ///   - data: The value.
  ///   - outer: The source that holds it; its bytes stay where they are, and it stays open.
  /// - Returns: The source, one without objects for a list that is no keyed archive; and its bytes.
  /// - Throws: `ArchiveError` if it is damaged.
  package func open(
    _ data: NestedData, in outer: any GraphSource
  ) throws(ArchiveError) -> (source: any GraphSource, bytes: ByteStorage) {
    guard let outer = outer.underlying as? any NestingSource else { throw .changed }
    return try open(data, outer.makeDataReader())
  }

  /// Opens the archive, or another property list, that a data value holds.
  ///
  /// - Parameters:
  ///   - data: The value.
  ///   - reader: The reader of values of the source that holds it.
  /// - Returns: The source, one without objects for a list that is no keyed archive; and its bytes.
  /// - Throws: `ArchiveError` if it is damaged.
  package func open(
    _ data: NestedData, _ reader: NestedDataReader
  ) throws(ArchiveError) -> (source: any GraphSource, bytes: ByteStorage) {
    let bytes = try reader(data)
    do throws(ArchiveError) {
      let archive = try KeyedArchive.read(
        try unwrapped(bytes), limits: limits, salvages: salvages, positions)
      return (withRecords(archive), bytes)
    } catch {
      throw explained(error)
    }
  }
}
