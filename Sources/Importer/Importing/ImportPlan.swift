import ArchiveReader

/// What an import goes by: the entity of each archived class, and the tables.
struct ImportPlan: Sendable {
  let layout: RelationalLayout
  /// For each archived class, the number of its entity.
  let entities: [String: Int]
  let opaqueClasses: Set<String>
  let limits: ReadingLimits
  let recordsProvenance: Bool

  init(
    model: Model, layout: RelationalLayout, opaqueClasses: Set<String>, limits: ReadingLimits,
    recordsProvenance: Bool
  ) {
    self.layout = layout
    self.opaqueClasses = opaqueClasses
    self.limits = limits
    self.recordsProvenance = recordsProvenance
    entities = model.entityNumbers
  }
}
