import CoreDataStores

/// Stores in the layout of Core Data.
extension Conversion {
  /// Refuses, before anything is read, what a store of Core Data cannot be made of.
  func checkLayout(_ configuration: ImportConfiguration) throws(ConversionError) {
    guard options.layout == .coreData else { return }
    func refusal(_ reason: String) -> ConversionError {
      .store(StoreError(.unsupported, path: destination, reason: reason))
    }
    guard options.existingStore != .append else {
      throw refusal("a Core Data store cannot be appended to")
    }
    guard !options.isSearchable else {
      throw refusal("a Core Data store has no table for full-text search")
    }
    guard !options.recordsProvenance else {
      throw refusal("a Core Data store has no table for provenance")
    }
    if let source = configuration.source { try checkModel(source) }
  }

  /// Refuses a plan without a model where one is needed, and a model that no store can be made of.
  func checkLayout(_ plan: ImportPlan) throws(ConversionError) {
    guard options.layout == .coreData else { return }
    guard let source = plan.source else {
      throw .store(
        StoreError(
          .unsupported, path: destination,
          reason: "a Core Data store requires a model: give it with --model, or in the mapping"))
    }
    try checkModel(source)
  }

  private func checkModel(_ source: ModelSource) throws(ConversionError) {
    do throws(ModelError) {
      _ = try CoreDataOutput.layout(of: source)
    } catch {
      throw .model(error)
    }
  }

  /// The metadata for the new Core Data store.
  ///
  /// One that is made of a single Core Data store takes the place of that: an application knows it
  /// by its UUID.
  ///
  /// - Parameters:
  ///   - source: The model.
  ///   - record: The record of the conversion.
  /// - Returns: The metadata.
  func metadata(
    _ source: ModelSource, _ record: CoreDataMetadata.ConversionRecord
  ) -> CoreDataMetadata {
    var metadata = CoreDataMetadata(of: source)
    let files = report.archives.filter { $0.outcome == .converted && $0.place == nil }
    metadata.archives = files.compactMap { archive in
      archive.sha256.map { CoreDataMetadata.Archive(path: archive.path, sha256: $0) }
    }
    metadata.conversion = record
    if replacesStore { metadata.adoptIdentity(of: storeMetadata[0]) }
    return metadata
  }

  /// True if a Core Data store is made of a single one, and nothing else.
  private var replacesStore: Bool {
    let files = report.archives.count { $0.outcome == .converted && $0.place == nil }
    return files == 1 && storeMetadata.count == 1
  }

  /// Metadata that applications keep with several stores, and one cannot hold.
  var metadataOmissions: [LayoutOmission] {
    guard !replacesStore else { return [] }
    let keys = storeMetadata.flatMap(\.applicationValues).map(\.key)
    return Dictionary(grouping: keys) { $0 }.sorted { $0.key.precedesInBytes($1.key) }.map {
      LayoutOmission(
        kind: .value, entity: "metadata", property: $0.key,
        reason: "a store keeps that of a single store alone", count: $0.value.count)
    }
  }

  /// Begins the store in the layout of Core Data.
  ///
  /// - Parameters:
  ///   - file: The file of the store in the relational layout.
  ///   - plan: The plan that it is written by.
  /// - Returns: The store; nil if another layout was asked for.
  /// - Throws: `StoreError`, `ConversionError`.
  func coreDataOutput(_ file: StoreFile, _ plan: ImportPlan) throws -> CoreDataOutput? {
    guard options.layout == .coreData, comparedStore == nil, let source = plan.source else {
      return nil
    }
    do {
      return try CoreDataOutput(source, plan, nextTo: file)
    } catch let error as ModelError {
      throw ConversionError.model(error)
    }
  }
}
