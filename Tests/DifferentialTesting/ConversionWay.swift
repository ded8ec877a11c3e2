/// How the archives of a case are converted.
package enum ConversionWay: String, Sendable, Hashable, CaseIterable {
  /// Without a mapping.
  case inferred
  /// By the mapping that is drafted.
  case draft
  /// By the model that is drafted.
  case model
  /// By the model that is drafted, in the layout of Core Data.
  case coreData = "core data"
  /// In the layout of Core Data, by a model with no place for what only top-level keys hold.
  case smallModel = "small model"
  /// In several runs, each of which adds to the store.
  case appended
  /// The same, by the mapping that is drafted of all archives.
  case appendedDraft = "appended draft"

  /// All ways.
  package static let all = Set(allCases)
}
