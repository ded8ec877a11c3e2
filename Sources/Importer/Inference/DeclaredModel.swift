import DataModel

extension SchemaProfile {
  /// The model of a profile's sources, as far as it is known.
  package enum DeclaredModel: Sendable {
    /// There was no source yet, or none but archives of plain values in values of others.
    case none
    /// All sources are stores of one model.
    case one(ModelSource)
    /// All sources are stores of one model, and archives in their values have other classes.
    case extended(ModelSource)
    /// There was nothing but archives in values of others, with classes of their own.
    case nested
    /// Some sources have no model, or another.
    case various

    /// The model, if all objects are of one.
    package var source: ModelSource? {
      if case .one(let source) = self { source } else { nil }
    }

    /// The model of the stores, whatever is in their values.
    package var storeSource: ModelSource? {
      switch self {
      case .one(let source), .extended(let source): source
      case .none, .nested, .various: nil
      }
    }

    mutating func merge(_ other: DeclaredModel) {
      switch (self, other) {
      case (_, .none), (.nested, .nested): break
      case (.none, _): self = other
      case (.one(let source), .nested), (.extended(let source), .nested),
        (.nested, .one(let source)), (.nested, .extended(let source)):
        self = .extended(source)
      case (.one(let own), .one(let found)) where own.model == found.model: break
      default:
        guard let own = storeSource, let found = other.storeSource, own.model == found.model else {
          self = .various
          return
        }
        self = .extended(own)
      }
    }
  }
}
