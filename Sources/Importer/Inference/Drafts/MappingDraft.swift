import ArchiveReader
import DataModel
import Support

/// Writes out, as the text of a mapping file, what a conversion does where no mapping says so.
///
/// The text names every class, entity and property; comments say what was found of each.
package enum MappingDraft {
  /// The options of a draft.
  package struct Options: Sendable {
    /// The name of the file that the draft will be in.
    package var fileName = "mapping.yaml"
    /// The names of the archives, without folders.
    package var archiveNames: [String] = []
    /// The rules for naming entities and properties.
    package var nameRules = NameRules()
    /// The classes whose objects are seen through.
    package var seeThrough: [String] = []
    /// The paths of dictionaries that are records.
    package var records: [String] = []
    /// The positions that are lists in typedstreams, by class and version ("Note#1").
    package var lists: [String: [Int]] = [:]
    /// The path of the Core Data model, from the folder of the mapping file.
    package var model: String?
    /// The digest of that model.
    package var modelDigest: String?
    /// True if the draft gives the model of stores, rather than what was found in archives.
    package var isDeclared = false

    package init() {}
  }

  /// The text of the mapping file.
  ///
  /// - Parameters:
  ///   - profile: The profile of the archives.
  ///   - model: The model that was drawn from it; entities may have been given other names.
  ///   - options: The options of the draft.
  /// - Returns: The text, which can be read as a mapping and says all of the model.
  package static func text(profile: SchemaProfile, model: Model, options: Options = Options())
    -> String
  {
    MappingDrafter(profile, model, options).text()
  }
}
