/// The kinds of cases, of which the seed picks one.
package enum CaseKind: String, Sendable, CaseIterable {
  /// Keyed archives, converted in all ways.
  case archives
  /// A Core Data store with something that its model does not ask for.
  case store
  /// Damaged files beside sound ones.
  case batch
  /// A store whose model has changed.
  case migration

  package init(seed: UInt64) {
    switch seed % 8 {
    case 2, 6: self = .store
    case 4: self = .batch
    case 7: self = .migration
    default: self = .archives
    }
  }

  /// The case of a seed; nil for archives, which have a search of their own.
  package func parted(seed: UInt64) -> (any PartedCase)? {
    switch self {
    case .archives: nil
    case .store: SurplusCase(seed: seed)
    case .batch: BatchCase(seed: seed)
    case .migration: MigrationCase(seed: seed)
    }
  }
}
