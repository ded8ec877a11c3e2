import ArchiveReader
import Foundation
import Support

/// The record of a run that a store keeps: see `StoreVerifier.RunRecord`, which reads it.
extension ImportConfiguration {
  /// The options that make a difference to what is written, as JSON.
  func optionsText(_ options: ConversionOptions) -> String {
    ImportValue.dictionary(optionPairs(options)).storedText ?? "{}"
  }

  /// The options as a store remembers them: with what a verification needs beside them.
  ///
  /// - Parameters:
  ///   - options: The options.
  ///   - passes: The number of passes that were completed; nil for all.
  ///   - known: The archives that were looked at, but in the store already, by their ids.
  ///   - plan: The plan of the run; nil if there is none yet.
  /// - Returns: JSON.
  func recordText(
    _ options: ConversionOptions, passes: Int?, known: [Int64] = [], _ plan: ImportPlan?
  ) -> String {
    var pairs = optionPairs(options)
    func add(_ name: String, _ value: ImportValue) {
      pairs.append(ImportValue.Pair(.text(name), value))
    }
    if options.isSearchable { add("fts", .bool(true)) }
    if !seeThrough.isEmpty {
      add("mappedSeeThrough", .list(seeThrough.map { .text($0) }))
    }
    if !options.positions.isEmpty {
      add("positions", Self.object(options.positions.classes.mapValues(Self.value)))
    }
    if let mappingPath { add("mappingFile", .text(mappingPath)) }
    if modelPaths.count == 1 { add("modelFile", .text(modelPaths[0])) }
    if modelPaths.count > 1 { add("modelFiles", .list(modelPaths.map { .text($0) })) }
    if let migration = options.migration {
      add("mappingModelFiles", .list(migration.mappingModelPaths.map { .text($0) }))
      add("versionFiles", .list(migration.versionPaths.map { .text($0) }))
      add("migrationFiles", .list(options.migrationFiles.map { .text($0) }))
    }
    if let templatePath { add("templateFile", .text(templatePath)) }
    // What depends on the time of the run can be compared later.
    if let now = options.now { add("now", .real(now.timeIntervalSinceReferenceDate)) }
    if let passes { add("completedPasses", .integer(Int64(passes))) }
    if let rules = options.recordRules {
      add("records", Self.object(rules.classNames.mapValues { .text($0) }))
      let pairs = rules.pairs.sorted { $0.precedesInBytes($1) }
      if !pairs.isEmpty { add("pairs", .list(pairs.map { .text($0) })) }
    }
    if !known.isEmpty { add("known", .list(Self.ranges(of: known))) }
    if let counts = plan?.layout.countColumns, !counts.isEmpty {
      add("countColumns", Self.object(counts.mapValues { Self.object($0.mapValues { .text($0) }) }))
    }
    if let names = plan?.assignedNames {
      add(
        "names",
        Self.object(
          names.classes.mapValues { names in
            Self.object([
              "entity": .text(names.entity),
              "properties": Self.object(names.properties.mapValues { .text($0) }),
            ])
          }))
    }
    if let limits = movedLimits(options) { add("limits", limits) }
    return ImportValue.dictionary(pairs).storedText ?? "{}"
  }

  /// Names and values as a JSON object has them, in the order of the names.
  private static func object(_ values: [String: ImportValue]) -> ImportValue {
    .dictionary(
      values.sorted { $0.key.precedesInBytes($1.key) }
        .map { ImportValue.Pair(.text($0.key), $0.value) })
  }

  /// The rules for the positions of a class.
  private static func value(_ rules: PositionRules.Class) -> ImportValue {
    var values: [String: ImportValue] = [:]
    values["fields"] = rules.fields.map { fields in
      .list(fields.map { .list($0.map { $0.map { .text($0) } ?? .null }) })
    }
    values["lists"] = rules.lists.map { .list($0.sorted().map { .integer(Int64($0)) }) }
    if let arities = rules.arities {
      let pairs = arities.map { ("\($0.key)", ImportValue.integer(Int64($0.value))) }
      values["arities"] = object(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    }
    values["isVersioned"] = rules.isVersioned.map { .bool($0) }
    return object(values)
  }

  /// Ids as ranges: pairs of the first and the last of each.
  private static func ranges(of ids: [Int64]) -> [ImportValue] {
    var ranges: [(first: Int64, last: Int64)] = []
    for id in ids.sorted() {
      if let last = ranges.last?.last, id == last || id == last + 1 {
        ranges[ranges.count - 1].last = id
      } else {
        ranges.append((id, id))
      }
    }
    return ranges.map { .list([.integer($0.first), .integer($0.last)]) }
  }

  /// The limits that are not the standard ones; nil if all are.
  private func movedLimits(_ options: ConversionOptions) -> ImportValue? {
    let moved = ReadingLimits.Name.allCases.filter {
      options.limits[$0] != ReadingLimits.standard[$0]
    }
    guard !moved.isEmpty else { return nil }
    return .dictionary(
      moved.map { name in
        ImportValue.Pair(.text(name.rawValue), .integer(Int64(options.limits[name])))
      })
  }

  private func optionPairs(_ options: ConversionOptions) -> [ImportValue.Pair] {
    var pairs: [ImportValue.Pair] = []
    if let prefix = options.stripPrefix {
      pairs.append(ImportValue.Pair(.text("stripPrefix"), .text(prefix)))
    }
    if !options.seeThrough.isEmpty {
      let names = Set(options.seeThrough).sorted { $0.precedesInBytes($1) }
      pairs.append(ImportValue.Pair(.text("seeThrough"), .list(names.map { .text($0) })))
    }
    if options.plainNames { pairs.append(ImportValue.Pair(.text("plainNames"), .bool(true))) }
    if options.recordsProvenance {
      pairs.append(ImportValue.Pair(.text("provenance"), .bool(true)))
    }
    if options.isReversible { pairs.append(ImportValue.Pair(.text("reversible"), .bool(true))) }
    if options.salvages { pairs.append(ImportValue.Pair(.text("salvage"), .bool(true))) }
    if let digest = options.migrationDigest {
      pairs.append(ImportValue.Pair(.text("migration"), .text(digest)))
    }
    if let form = options.dictionaries {
      pairs.append(ImportValue.Pair(.text("dictionaries"), .text(form.rawValue)))
    }
    if options.opensNested { pairs.append(ImportValue.Pair(.text("openNested"), .bool(true))) }
    if !options.unwrapSteps.isEmpty {
      pairs.append(
        ImportValue.Pair(.text("unwrap"), .list(options.unwrapSteps.map { .text($0.text) })))
    }
    for (name, globs) in [("column", options.archiveColumns), ("carry", options.carriedColumns)]
    where !globs.isEmpty {
      pairs.append(
        ImportValue.Pair(.text(name), .list(globs.uniqued().map { .text($0) })))
    }
    let hooks = extensions.hookNames
    if !hooks.isEmpty {
      pairs.append(ImportValue.Pair(.text("hooks"), .list(hooks.sorted().map { .text($0) })))
    }
    return pairs
  }

  /// The digest of a kind of request: an archive is converted once for each.
  func fingerprint(_ options: ConversionOptions) -> String {
    // Salvaging changes nothing of archives that are sound, and only those are converted without.
    var options = options
    options.salvages = false
    let limits = movedLimits(options)?.storedText
    let parts = [mappingText ?? "", model?.digest() ?? "", optionsText(options)]
    return MessageDigest.sha256(ofTexts: parts + (limits.map { [$0] } ?? []))
  }
}
