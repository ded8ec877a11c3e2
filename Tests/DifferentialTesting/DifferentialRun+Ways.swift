import Converter
import Foundation
import Importer
import TestSupport

extension DifferentialRun {
  /// Converts in one way, and looks at what comes of it.
  mutating func convert(_ way: ConversionWay) throws {
    switch way {
    case .inferred: try infer()
    case .draft: try convertByDraft()
    case .model: try convertByModel()
    case .coreData: try convertToCoreData()
    case .smallModel: try convertBySmallModel()
    case .appended: try convertInRuns(way, options()) { _ in true }
    case .appendedDraft:
      guard let mapping = draft(way, model: nil) else { break }
      // All runs have one mapping, so they differ only in the inverses that it does not name.
      try convertInRuns(way, options { $0.mappingPath = mapping }) { error in
        error.reason.contains("is stored differently there")
          || error.reason.contains("is ordered there") || error.reason.contains("is ordered here")
      }
    }
  }

  private var inferredPath: String { folder.file(named: "inferred.sqlite") }

  private mutating func infer() throws {
    guard let report = try convert(.inferred, to: inferredPath, options()) else { return }
    let tables = try StoreTables(try StoreQuery(inferredPath))
    note(.inferred, "the store", RelationalOracle(graph, tables, paths: paths).differences)
    checkCounts(.inferred, report)
    try mutate(.inferred, inferredPath, inputs)
    try convertInAnotherManner()
  }

  /// The store is the one that is made without a mapping.
  private mutating func convertByDraft() throws {
    let drafted = folder.file(named: "drafted.sqlite")
    guard let mapping = draft(.draft, model: nil),
      let report = try convert(.draft, to: drafted, options { $0.mappingPath = mapping })
    else { return }
    if !FileManager.default.fileExists(atPath: inferredPath) {
      guard try convert(.inferred, to: inferredPath, options()) != nil else { return }
    }
    let difference = try Self.difference(inferredPath, drafted)
    if let difference { note(.draft, "another store than without it", difference) }
    checkCounts(.draft, report)
    try mutate(.draft, drafted, inputs)
  }

  private mutating func convertByModel() throws {
    let store = folder.file(named: "modelled.sqlite")
    guard let mapping = draft(.model, model: folder.file(named: "Model.xcdatamodeld")),
      try convert(.model, to: store, options { $0.mappingPath = mapping }) != nil
    else { return }
    let tables = try StoreTables(try StoreQuery(store))
    let oracle = RelationalOracle(graph, tables, paths: paths, isModelled: true)
    note(.model, "the store", oracle.differences)
    try mutate(.model, store, inputs)
  }

  private mutating func convertToCoreData() throws {
    let store = folder.file(named: "core data.sqlite")
    guard let mapping = draft(.coreData, model: folder.file(named: "Model.xcdatamodeld")) else {
      return
    }
    let options = options {
      $0.mappingPath = mapping
      $0.layout = .coreData
      $0.recordsProvenance = false
    }
    guard let report = try convert(.coreData, to: store, options) else { return }
    if let omission = report.omissions.first {
      note(.coreData, "something is not kept", "\(omission)")
    }
    let tables = try StoreTables(try StoreQuery(store))
    note(.coreData, "the store", CoreDataOracle(graph, tables, paths: paths).differences)
    try convertStraightToCoreData(options, like: store)
  }

  /// A store that is not verified at once is the same, although its rows are not copied.
  private mutating func convertStraightToCoreData(
    _ options: ConversionOptions, like copied: String
  ) throws {
    let store = folder.file(named: "straight core data.sqlite")
    var options = options
    options.verifies = false
    var conversion = Conversion(inputs: inputs, destination: store, options: options)
    do throws(ConversionError) {
      _ = try conversion.run()
    } catch {
      return note(.coreData, "refused without a copy", "\(error)")
    }
    let difference = try Self.difference(copied, store, except: ["Z_METADATA"])
    if let difference { note(.coreData, "another store without a copy", difference) }
  }

  /// What a model has no place for is counted, and named by its top-level key.
  private mutating func convertBySmallModel() throws {
    let options = options {
      $0.model = Model(
        entities: graph.classNames.map { name in
          Entity(
            name: CaseGraph.entityName(name), archivedClasses: [name],
            attributes: [Attribute(name: "tag", type: .integer)])
        })
      $0.layout = .coreData
      $0.recordsProvenance = false
      $0.opensNested = false
    }
    let store = folder.file(named: "small.sqlite")
    guard !graph.objects.isEmpty, !hasOddObjects,
      let report = try convert(.smallModel, to: store, options)
    else { return }
    var found: [String: Int] = [:]
    for omission in report.omissions where omission.kind == .value {
      found[omission.property, default: 0] += omission.count
    }
    let expected = graph.valuesOfTopLevelKeys
    if found != expected {
      note(.smallModel, "what is not kept", "expected \(expected), found \(found)")
    }
  }

  /// Objects of value classes that are none: they have no tag.
  private var hasOddObjects: Bool { graph.objects.contains { graph.object($0).isOdd } }

  /// The store does not depend on how many threads there are, nor on when and how rows are made.
  private mutating func convertInAnotherManner() throws {
    let store = folder.file(named: "another.sqlite")
    let other = options { options in
      options.verifies = false
      options.jobs = 3 - options.jobs
      options.avoidsPlainRows.toggle()
      if !archives.settings.startsEarly {
        options.speculation.bytes = 0
        options.speculation.sample.objects = 4
      }
    }
    var conversion = Conversion(inputs: inputs, destination: store, options: other)
    do throws(ConversionError) {
      _ = try conversion.run()
    } catch {
      return note(.inferred, "refused in another manner", "\(error)")
    }
    let difference = try Self.difference(inferredPath, store)
    if let difference { note(.inferred, "another store in another manner", difference) }
  }

  /// Drafts a mapping, and a model if it is to have one; returns its path.
  private mutating func draft(_ way: ConversionWay, model: String?) -> String? {
    let mapping = folder.file(named: model == nil ? "mapping.yaml" : "with model.yaml")
    if FileManager.default.fileExists(atPath: mapping) { return mapping }
    do {
      try InferredDraft(inputs: inputs, options: options())
        .write(mapping: mapping, model: model, replacing: false)
      return mapping
    } catch {
      note(way, "the draft fails", "\(error)")
      return nil
    }
  }
}
