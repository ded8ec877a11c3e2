import Mappings

/// The policy of entity mappings that name none, but have values that are computed once.
final class PlainEntityPolicy: MigrationPolicy {
  init() {}
}
