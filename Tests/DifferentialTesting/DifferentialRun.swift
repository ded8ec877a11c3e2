import Foundation
import Importer
import TestSupport

/// Converts the archives of a case in all ways, and says what is wrong.
package struct DifferentialRun {
  private let archives: ArchiveCase
  private let graph: CaseGraph
  private let seed: UInt64
  private let folder: TemporaryFolder
  private let inputs: [String]
  private let paths: [String]
  package private(set) var findings: [Finding] = []

  /// Converts a case in all ways.
  ///
  /// - Parameters:
  ///   - archives: The case.
  ///   - seed: Seeds the changes that verifications have to notice.
  ///   - way: The only way that counts; nil for all.
  /// - Returns: What is wrong.
  /// - Throws: What keeps a test from being made, such as a file that cannot be written.
  package static func findings(
    _ archives: ArchiveCase, seed: UInt64, way: String? = nil
  ) throws -> [Finding] {
    var run = try DifferentialRun(archives, seed: seed)
    switch way {
    case "inferred"?: try run.infer()
    case "draft"?:
      try run.infer()
      try run.convertByDraft()
    case .some: try run.convertByModel()
    case nil:
      guard try run.infer() else { break }
      try run.convertByDraft()
      try run.convertByModel()
    }
    return run.findings
  }

  private init(_ archives: ArchiveCase, seed: UInt64) throws {
    self.archives = archives
    self.seed = seed
    graph = CaseGraph(archives.files)
    folder = try TemporaryFolder()
    let folder = folder
    // The order of a directory is that of the names.
    let files = archives.files
    paths = try files.map { try folder.write(try $0.bytes(), to: "archives/\($0.name)") }
    inputs = archives.settings.isDirectory ? [folder.file(named: "archives")] : paths
  }

  private func options(_ change: (inout ConversionOptions) -> Void = { _ in }) -> ConversionOptions
  {
    var options = ConversionOptions()
    let settings = archives.settings
    options.verifies = true
    options.jobs = settings.jobs
    options.recordsProvenance = settings.recordsProvenance
    options.salvages = settings.salvages
    options.opensNested = settings.opensNested
    options.avoidsPlainRows = settings.avoidsPlainRows
    options.errorPolicy = .stop
    if settings.startsEarly {
      options.earlyStart.bytes = 0
      options.earlyStart.sample.objects = 4
    }
    change(&options)
    return options
  }

  private mutating func note(_ way: String, _ kind: String, _ detail: String) {
    findings.append(Finding(way: way, kind: kind, detail: detail))
  }

  // MARK: The ways

  private var inferredPath: String { folder.file(named: "inferred.sqlite") }

  /// Converts without a mapping; returns whether there is a store.
  @discardableResult
  private mutating func infer() throws -> Bool {
    guard let report = try convert("inferred", to: inferredPath, options()) else { return false }
    let tables = try StoreTables(try StoreQuery(inferredPath))
    let oracle = RelationalOracle(graph, tables, paths: paths)
    note("inferred", "the store", oracle.differences)
    checkCounts("inferred", report)
    try mutate("inferred", inferredPath)
    try convertInAnotherManner(inferredPath)
    return true
  }

  private mutating func convertByDraft() throws {
    let mapping = folder.file(named: "mapping.yaml")
    let drafted = folder.file(named: "drafted.sqlite")
    guard draft("draft", mapping, model: nil) else { return }
    if let report = try convert("draft", to: drafted, options { $0.mappingPath = mapping }) {
      let difference = try Self.difference(inferredPath, drafted)
      if let difference { note("draft", "another store than without it", difference) }
      checkCounts("draft", report)
      try mutate("draft", drafted)
    }
  }

  /// Converts by the model that is drafted, in both layouts.
  private mutating func convertByModel() throws {
    let modelMapping = folder.file(named: "with model.yaml")
    guard draft("model", modelMapping, model: folder.file(named: "Model.xcdatamodeld")) else {
      return
    }
    let modelled = folder.file(named: "modelled.sqlite")
    if try convert("model", to: modelled, options { $0.mappingPath = modelMapping }) != nil {
      let tables = try StoreTables(try StoreQuery(modelled))
      note("model", "the store", FindingOracle(graph, tables, isCoreData: false).differences)
      try mutate("model", modelled)
    }
    let coreData = folder.file(named: "core data.sqlite")
    let options = options {
      $0.mappingPath = modelMapping
      $0.layout = .coreData
      $0.recordsProvenance = false
    }
    if try convert("core data", to: coreData, options) != nil {
      let tables = try StoreTables(try StoreQuery(coreData))
      note("core data", "the store", FindingOracle(graph, tables, isCoreData: true).differences)
    }
  }

  /// The store does not depend on how many threads there are, nor on when and how rows are made.
  private mutating func convertInAnotherManner(_ inferred: String) throws {
    let store = folder.file(named: "another.sqlite")
    let other = options { options in
      options.verifies = false
      options.jobs = 3 - options.jobs
      options.avoidsPlainRows.toggle()
      if !archives.settings.startsEarly {
        options.earlyStart.bytes = 0
        options.earlyStart.sample.objects = 4
      }
    }
    var conversion = Conversion(inputs: inputs, destination: store, options: other)
    do throws(ConversionError) {
      _ = try conversion.run()
    } catch {
      return note("inferred", "refused in another manner", "\(error)")
    }
    let difference = try Self.difference(inferred, store)
    if let difference { note("inferred", "another store in another manner", difference) }
  }

  private mutating func note(_ way: String, _ kind: String, _ differences: [String]) {
    guard let first = differences.first else { return }
    note(way, kind, first + (differences.count > 1 ? " (\(differences.count) in all)" : ""))
  }

  private mutating func draft(_ way: String, _ mapping: String, model: String?) -> Bool {
    do {
      try InferredDraft(inputs: inputs, options: options())
        .write(mapping: mapping, model: model, replacing: false)
      return true
    } catch {
      note(way, "the draft fails", "\(error)")
      return false
    }
  }

  /// Converts into a store and compares it, at once and later.
  private mutating func convert(
    _ way: String, to store: String, _ options: ConversionOptions
  ) throws -> ConversionReport? {
    var conversion = Conversion(inputs: inputs, destination: store, options: options)
    let report: ConversionReport
    do throws(ConversionError) {
      report = try conversion.run()
    } catch {
      note(way, "refused", "\(error)")
      return nil
    }
    check(way, "the comparison of a run", report.verification)
    checkReport(way, report)
    guard FileManager.default.fileExists(atPath: store) else { return nil }
    let flaws = try StoreQuery(store).flaws()
    note(way, "flaws", flaws)
    if options.layout == .relational { try verify(way, store) }
    return report
  }

  private mutating func verify(_ way: String, _ store: String) throws {
    var verifier = StoreVerifier(store: store, inputs: inputs, options: verifierOptions)
    do throws(ConversionError) {
      check(way, "a later comparison", try verifier.run().verification)
    } catch {
      note(way, "a later comparison fails", "\(error)")
    }
  }

  private var verifierOptions: ConversionOptions {
    var options = ConversionOptions()
    options.jobs = archives.settings.jobs
    return options
  }

  private mutating func check(_ way: String, _ kind: String, _ result: VerificationResult?) {
    guard let result else { return note(way, kind, "there was none") }
    if let first = result.differences.first {
      note(
        way, "\(kind) fails (\(first.form))",
        "\(first.entity) \(first.row ?? -1) \(first.property): expected \(first.expected), "
          + "found \(first.found) (\(result.differenceCount) in all)")
    }
    if let first = result.notCompared.first {
      note(way, "\(kind) leaves something out", "\(first)")
    }
  }

  // MARK: The report

  private mutating func checkReport(_ way: String, _ report: ConversionReport) {
    let lists: [(String, Bool)] = [
      ("unread keys", report.unreadKeys.isEmpty), ("ignored keys", report.ignoredKeys.isEmpty),
      ("classes without an entity", report.unmappedClasses.isEmpty),
      ("objects that were not visited", report.unvisitedObjects.isEmpty),
      ("filtered objects", report.filteredObjects.isEmpty),
      ("lossy conversions", report.lossCount == 0 || way == "core data"),
      ("conflicts", report.conflictCount == 0), ("broken rules", report.validationErrorCount == 0),
    ]
    for (name, isEmpty) in lists where !isEmpty { note(way, "the report has \(name)", "") }
  }

  /// Compares the figures of the report with those of the case.
  private mutating func checkCounts(_ way: String, _ report: ConversionReport) {
    for className in graph.classNames {
      let objects = graph.objects(of: className)
      let name = CaseGraph.entityName(className)
      guard let entity = report.entities.first(where: { $0.name == name }) else {
        note(way, "the report has no entity", name)
        continue
      }
      var expected = [objects.count, objects.count, 0, 0]
      for object in objects {
        let counts = graph.counts(object)
        expected[2] += counts.values
        expected[3] += counts.links
      }
      let found = [entity.archivedObjects, entity.rows, entity.values, entity.links]
      if found != expected {
        note(way, "the figures of the report", "\(name): expected \(expected), found \(found)")
      }
    }
    if report.collections != graph.looseCollections.count {
      note(
        way, "the figures of the report",
        "\(report.collections) collections, expected \(graph.looseCollections.count)")
    }
  }

  // MARK: Two stores

  /// The first line in which two stores differ, apart from what says how they were made.
  private static func difference(_ one: String, _ other: String) throws -> String? {
    func lines(_ path: String) throws -> [Substring] {
      let store = try StoreQuery(path)
      let text = try store.schema() + store.content(except: ["_archive", "_run", "_report"])
      return text.split(separator: "\n", omittingEmptySubsequences: false)
    }
    let (one, other) = (try lines(one), try lines(other))
    let place = zip(one, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    guard let place = place ?? (one.count == other.count ? nil : min(one.count, other.count)) else {
      return nil
    }
    func line(_ lines: [Substring]) -> String {
      lines.indices.contains(place) ? String(lines[place]) : "nothing"
    }
    return "\(line(one)) and \(line(other))"
  }

  // MARK: Changes

  /// Changes copies of a store, and lets a comparison find each change.
  private mutating func mutate(_ way: String, _ store: String) throws {
    var generator = SeededGenerator(seed: seed)
    let query = try StoreQuery(store)
    var made = 0
    for _ in 0..<10 where made < 2 {
      guard let mutation = try StoreMutation(of: query, using: &generator) else { continue }
      let copy = folder.file(named: "copy.sqlite")
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: store, toPath: copy)
      let editor = try StoreEditor(copy)
      guard (try? editor.run(mutation.sql)) != nil else { continue }
      editor.close()
      made += 1
      var verifier = StoreVerifier(store: copy, inputs: inputs, options: verifierOptions)
      guard let result = (try? verifier.run())?.verification else { continue }
      if result.isPassed { note(way, "a change is not noticed", mutation.sql) }
    }
  }
}

extension VerificationResult.Difference {
  /// What differs, without names and numbers.
  fileprivate var form: String {
    func form(_ words: String) -> String {
      if words == "nothing" || words == "NULL" || words == "a row" { return words }
      return Int64(words) == nil ? "a value" : "a number"
    }
    var place = entity.hasPrefix("_") ? "\(entity)." : ""
    if let bracket = property.lastIndex(of: "[") {
      place += property[bracket...].contains("NULL") ? "[NULL]" : "[]"
    } else if let line = property.lastIndex(of: "_"),
      ["_id", "_type", "_position", "_count", "_runs"].contains(property[line...])
    {
      place += property[line...]
    } else {
      place += property.isEmpty ? "the row" : "a column"
    }
    return "\(place): \(form(expected)), \(form(found))"
  }
}
