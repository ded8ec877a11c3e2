import Support

/// A store in the layout of Core Data under construction, next to what the import writes in the
/// relational layout.
struct CoreDataOutput {
  let file: StoreFile
  private let projection: CoreDataProjection
  /// The tables that take rows as the import writes them; nil if all are copied at the end.
  let viewed: ViewedTables?

  /// Makes the tables of the store.
  ///
  /// - Parameters:
  ///   - projection: What goes where.
  ///   - file: The file of the store in the relational layout.
  ///   - takesRows: Whether tables take rows as the import writes them, as far as they can.
  /// - Throws: `StoreError`.
  init(
    _ projection: CoreDataProjection, nextTo file: StoreFile, takesRows: Bool
  ) throws(StoreError) {
    self.projection = projection
    self.file = try StoreFile(second: file)
    let path = self.file.path
    try projection.create(at: path)
    viewed =
      takesRows
      ? ViewedTables(projection.views(), beginSync: self.file.beginSync) {
        (database) throws(StoreError) in
        try projection.attach(path, to: database)
      } : nil
  }

  /// Completes the store when all rows of the import are there.
  ///
  /// - Parameters:
  ///   - store: What the import has written, finished.
  ///   - context: What the import knows of the rows.
  ///   - metadata: What the store says of itself.
  ///   - findings: Takes what was lost on the way.
  /// - Throws: `StoreError`, `ConversionError`.
  func complete(
    _ store: StoreWriter, _ context: ImportContext, _ metadata: CoreDataMetadata,
    _ findings: inout ImportFindings
  ) throws {
    if viewed == nil {
      try store.withDatabase { (database) throws(StoreError) in
        try projection.attach(file.path, to: database)
      }
    }
    let found: (omissions: [LayoutOmission], losses: CoreDataForms.Losses)
    do {
      let views = viewed.map { Set($0.views.keys) } ?? []
      found = try projection.complete(store, context, views: views, metadata)
    } catch let error as ModelError {
      throw ConversionError.model(error)
    }
    findings.omissions = found.omissions
    let reason = "a Core Data store cannot represent it exactly"
    let forms = projection.forms
    let losses = found.losses.listed.sorted { forms.isOrdered($0.key, before: $1.key) }
    for (place, loss) in losses {
      let column = forms.columns[place.number]
      // Where the list is full, losses are counted.
      var location = ImportFindings.Location()
      if findings.listsLosses {
        location =
          column.source >= 0
          ? context.origin(of: place.row, table: column.source)
          : context.origin(ofElement: place.row, in: column.sourceName)
      }
      (location.className, location.key) = (column.entity, column.property)
      findings.addLoss(
        at: location, before: .text(loss.before), after: .text(loss.after), reason: reason)
    }
    for (number, count) in found.losses.counts.sorted(by: { $0.key < $1.key }) {
      let column = forms.columns[number]
      var location = ImportFindings.Location()
      (location.className, location.key) = (column.entity, column.property)
      findings.countLosses(count, at: location, reason: reason)
    }
  }
}
