import CoreDataStores

/// What a profile knows of the models of its sources.
enum DeclaredModel: Sendable {
  /// There was no source yet.
  case none
  /// All sources are stores of one model.
  case one(ModelSource)
  /// Some sources have no model, or another.
  case various

  /// The model, if all sources are of one.
  var source: ModelSource? {
    if case .one(let source) = self { source } else { nil }
  }

  mutating func merge(_ other: DeclaredModel) {
    switch (self, other) {
    case (_, .none): break
    case (.none, _): self = other
    case (.one(let own), .one(let found)) where own.model == found.model: break
    default: self = .various
    }
  }
}
