import Foundation
import Support

extension Checkpoint {
  /// The options and findings that must be equal for a run to resume this store.
  struct Request: Sendable, Codable, Hashable {
    /// The version of the converter.
    var version = ConverterVersion.current
    /// The digest of the mapping file; nil if there is none.
    var mapping: String?
    /// The digest of the model; nil if there is none.
    var model: String?
    /// The options that make a difference to what is written.
    var options: String
    /// The digest of the tables.
    var tables: String
    /// The outline of the profile that some archives predicted, where rows were written before all
    /// were read: what is kept counts if that of all has the same.
    var prediction: String?

    init(
      _ configuration: ImportConfiguration, _ options: ConversionOptions, _ layout: RelationalLayout
    ) {
      mapping = configuration.mappingText.map { MessageDigest.sha256(ofTexts: [$0]) }
      model = configuration.model?.digest()
      var parts = [configuration.optionsText(options), "\(options.limits)"]
      if options.isDryRun { parts.append("dry run") }
      if options.spill != nil { parts.append("full report") }
      if options.existingStore == .append { parts.append("append") }
      self.options = parts.joined(separator: " ")
      tables = MessageDigest.sha256(
        ofTexts: (layout.tables + layout.elementTables.map(\.table)).map(\.creation)
          + layout.indexes.map(\.creation))
    }

    /// The differences from an older request, in words: for the message of an error.
    func changes(since older: Request) -> [String] {
      var changes: [String] = []
      if version != older.version {
        changes.append("the converter (it was version \(older.version))")
      }
      if mapping != older.mapping { changes.append("the mapping") }
      if model != older.model { changes.append("the model") }
      if options != older.options { changes.append("an option") }
      return changes
    }
  }
}
