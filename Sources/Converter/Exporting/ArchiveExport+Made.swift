import ArchiveReader
import GraphCore
import Support

extension ArchiveExport {
  /// The objects that the rows of a store are, which does not keep the archive.
  struct Made: Written {
    private let archive: RowArchive
    private let options: ConversionOptions
    private let store: String
    let copy: ArchiveCopy
    var isEdited: Bool? { nil }

    init(_ chosen: StoreArchive, of store: String, _ options: ConversionOptions) throws {
      let reasons = try Self.obstacles(chosen, store)
      guard reasons.isEmpty else {
        throw ConversionError.unexportable(path: store, reasons)
      }
      try VerifiedStore(path: store).checkReferences()
      self.store = store
      self.options = chosen.record.conversionOptions(options)
      archive = try RowArchive(path: store, archive: chosen.id, isOnly: chosen.known.count == 1)
      copy = try archive.copy()
    }

    /// Obstacles to an export, in words.
    private static func obstacles(_ chosen: StoreArchive, _ store: String) throws -> [String] {
      let options = chosen.record.options
      let used = [
        ("a mapping", chosen.record.mapping != nil), ("a model", chosen.record.usedModel),
        ("hooks in Swift", options.hooks?.isEmpty == false),
        ("a migration", options.migration != nil), ("--salvage", options.salvage == true),
        ("--open-nested", options.openNested == true), ("--column", options.column != nil),
        ("--carry", options.carry != nil), ("--see-through", options.seeThrough != nil),
      ]
      var reasons = used.filter(\.1).map {
        "was made with \($0.0), and without --reversible: its rows are not those of the objects"
      }
      let archives: [SourceFormat] = [.binary, .xml, .nib, .typedstream, .oldTypedstream]
      if !archives.contains(where: { $0.rawValue == chosen.format }) {
        reasons.append("\(chosen.path) was no archive, but \(chosen.format)")
      }
      let lost = try StoreReports(path: store).allKept().reduce(0) { $0 + $1.lossCount }
      if lost > 0 {
        reasons.append("has lost parts of \(Words.count(lost, "value")): see its report")
      }
      return reasons
    }

    /// Refuses rows that nothing leads to: whoever reads the archive would not find them.
    func examine() throws {
      let counts = archive.unreachedRows()
      guard counts.isEmpty else {
        throw ConversionError.unexportable(
          path: store,
          counts.map { "\($0.table): nothing refers to \(Words.count($0.count, "row"))" })
      }
    }

    /// Converts the archive again, and compares the rows.
    func differences(from path: String) throws -> (listed: [String], count: Int) {
      let folder = try PrivateFolder()
      return try archive.differences(from: ArchiveExport.rows(of: path, in: folder, options))
    }
  }

  /// The rows that a written archive becomes.
  static func rows(
    of path: String, in folder: PrivateFolder, _ options: ConversionOptions,
    isComparing: Bool = false
  ) throws -> RowArchive {
    let again = "\(folder.path)/again.sqlite"
    var options = options
    (options.recordsProvenance, options.isSearchable, options.isReversible) = (false, false, false)
    options.errorPolicy = .stop
    var conversion = Conversion(inputs: [path], destination: again, options: options)
    _ = try conversion.run()
    return try RowArchive(path: again, archive: 1, isOnly: true, isComparing: isComparing)
  }
}
