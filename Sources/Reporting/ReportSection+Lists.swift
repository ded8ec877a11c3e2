import Support

/// The lists of a report.
extension ReportSection {
  /// The sections that have entries, in their order.
  static func all(of report: ConversionReport) -> [ReportSection] {
    let sections = [
      rejected(report), damages(report), differences(report), omissions(report),
      brokenRules(report), lossKinds(report), losses(report), conflicts(report),
      keys(
        report.unreadKeys, .unreadKeys, "Unread keys",
        "The model or mapping has these classes, but nothing read these keys. $archive stands for "
          + "the outermost dictionary of a file, and a table of a Core Data store for itself."),
      classes(
        report.unmappedClasses, .unmappedClasses, "Classes without an entity",
        "The model or mapping has no entity for objects of these classes."),
      classes(
        report.unvisitedObjects, .unvisited, "Unconverted objects",
        "They are reachable only through keys that were not read."),
      ReportSection(
        .omissions, "Not in the store", "The layout of the store cannot represent these.",
        columns: ["entity", "property or key", "what", "count"],
        rows: report.omissions.map {
          [.quoted($0.entity), .quoted($0.property), .words($0.reason), .number($0.count)]
        }),
      unusedNames(report), migrations(report),
      names(
        report.storeNotes, .storeNotes, "Notes on the stores",
        "What is left out of Core Data stores, and what else to know of them.", "note"),
      ReportSection(
        .views, "Views", "What the mapping has looked for in the store.",
        columns: ["view", "rows", "what they are"],
        rows: report.views.map { [.quoted($0.name), .number($0.rows), .quoted($0.words)] }),
      skipped(report), archives(report),
      classes(
        report.filteredObjects, .filtered, "Excluded objects",
        "A filter, a hook or a policy excluded them."),
      keys(
        report.ignoredKeys, .ignoredKeys, "Keys ignored on purpose",
        "The mapping or a hook declares them unneeded."),
      keys(
        report.derivedKeys, .derivedKeys, "Keys read only to derive values",
        "Expressions, key paths or filters read them; their original values are not in the store."),
      names(
        report.classesKeptAsObjects, .keptAsObjects,
        "Value classes with objects stored as rows",
        "These objects have unexpected keys or values; all others are stored as values.",
        "class"),
      names(
        report.relationshipsSetFromBothSides, .bothSides, "Relationships set from both sides",
        "Hooks set them twice; one side is enough.", "relationship"),
      names(
        report.modelNotes, .modelNotes, "Notes on the model",
        "Xcode warns about these declarations but compiles them; they are read as Xcode reads them.",
        "declaration"),
    ]
    return sections.filter { !$0.rows.isEmpty || $0.leftOut > 0 }
  }

  private static func migrations(_ report: ConversionReport) -> ReportSection {
    let steps = report.migrations.flatMap(\.steps)
    return ReportSection(
      .migrations, "Migration",
      "What became of the objects of the old store, step by step.",
      columns: ["step", "entity mapping", "objects before", "objects after", "left behind"],
      rows: steps.flatMap { step in
        step.summary.entityMappings.map { mapping in
          let lost = mapping.unreadValues.merging(mapping.lostValues) { [$0, $1].boundedSum }
            .merging(mapping.lostLinks) { [$0, $1].boundedSum }
          let names = lost.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
          return [
            .quoted(step.title), .quoted(mapping.name), .number(mapping.sourceObjects),
            .number(mapping.destinationObjects),
            names.isEmpty ? .nothing : .quoted(names.joined(separator: ", ")),
          ]
        }
      })
  }

  /// The archives of which nothing was converted.
  ///
  /// One that could not be read has neither size nor digest.
  private static func rejected(_ report: ConversionReport) -> ReportSection {
    let input = SourceWords(report).input
    return ReportSection(
      .rejected, "Rejected", "Nothing of these was converted.",
      columns: ["\(input) and its SHA-256", "what is wrong", "format", "bytes"],
      rows: report.archives.filter { $0.outcome == .rejected }.map { archive in
        [
          .file(archive.path, digest: archive.sha256), .quoted(archive.error ?? ""),
          archive.format.map(Cell.words) ?? .nothing, .number(archive.bytes),
        ]
      })
  }

  private static func archives(_ report: ConversionReport) -> ReportSection {
    let words = SourceWords(report)
    let others = report.archives.filter { $0.outcome != .rejected }
    let nested = others.count { $0.place != nil }
    let place =
      nested == 0
      ? ""
      : " \(Words.grouped(nested)) of them \(nested == 1 ? "is inside of another" : "are inside of others")."
    return ReportSection(
      .archives, words.inputs,
      "The \(words.input)s that were read, in this order.\(place)",
      columns: ["\(words.input) and its SHA-256", "outcome", "format", "objects", "bytes", "note"],
      rows: others.map { archive in
        var notes: [String] = []
        if archive.damageCount > 0 {
          notes.append("\(Words.count(archive.damageCount, "part")) could not be read")
        }
        if let first = archive.duplicateOf { notes.append("same bytes as \(first)") }
        if let place = archive.place { notes.append("inside \(place.outer)") }
        return [
          .file(archive.path, digest: archive.sha256), .outcome(archive.outcome),
          archive.format.map(Cell.words) ?? .nothing, .number(archive.objects),
          .number(archive.bytes),
          notes.isEmpty ? .nothing : .quoted(notes.joined(separator: "; ")),
        ]
      })
  }

  private static func skipped(_ report: ConversionReport) -> ReportSection {
    let files = report.skipped.listed
    return ReportSection(
      .skipped, "Unconverted files",
      "These files in directories contain no keyed archive. Of other files, no digest is taken: "
        + "nothing but their first bytes is read.",
      columns: ["file and its SHA-256", "kind", "what it is", "bytes"],
      rows: SkippedFile.Kind.allCases.flatMap { kind in files.filter { $0.kind == kind } }
        .map { file in
          [
            .file(file.path, digest: file.sha256), .words(file.kind.rawValue),
            .quoted(file.reason), .number(file.bytes),
          ]
        }, leftOut: report.skipped.leftOut)
  }

  private static func damages(_ report: ConversionReport) -> ReportSection {
    ReportSection(
      .damages, "Damage", "Parts that could not be read; the rest of each archive was converted.",
      columns: ["archive", "object", "key", "reason"],
      rows: report.archives.flatMap { archive in
        archive.damages.map {
          [.quoted(archive.path), .number($0.uid), .quoted($0.key), .quoted($0.reason)]
        }
      },
      leftOut: report.archives.map { max(0, $0.damageCount - $0.damages.count) }.boundedSum)
  }

  private static func differences(_ report: ConversionReport) -> ReportSection {
    let found = report.verification?.differences ?? []
    return ReportSection(
      .differences, "Differences",
      "Where the store differs from the \(SourceWords(report).input)s.",
      columns: ["archive", "object", "entity", "row", "property", "expected", "found"],
      rows: found.map { difference in
        [
          .quoted(difference.archive), .number(difference.uid), .quoted(difference.entity),
          .number(difference.row.map(Int.init)), .quoted(difference.property),
          .quoted(difference.expected), .quoted(difference.found),
        ]
      },
      leftOut: max(0, (report.verification?.differenceCount ?? 0) - found.count))
  }

  private static func omissions(_ report: ConversionReport) -> ReportSection {
    ReportSection(
      .notCompared, "Not compared", "What the verification could not compare, and why.",
      columns: ["entity", "property", "reason", "count"],
      rows: (report.verification?.notCompared ?? []).map {
        [.quoted($0.entity), .quoted($0.property), .quoted($0.reason), .number($0.count)]
      })
  }

  private static func brokenRules(_ report: ConversionReport) -> ReportSection {
    ReportSection(
      .brokenRules, "Validation errors",
      "Values and rows that the model does not allow, or that could not be created.",
      columns: ["archive", "rule", "what is wrong"],
      rows: report.validationErrors.map {
        [.quoted($0.archive), .words($0.code.rawValue), .quoted($0.message)]
      },
      leftOut: max(0, report.validationErrorCount - report.validationErrors.count))
  }

  /// Listed only if the list of losses does not show as much.
  private static func lossKinds(_ report: ConversionReport) -> ReportSection {
    ReportSection(
      .lossKinds, "Lossy conversions by kind",
      "The number of affected values, by key and kind of loss.",
      columns: ["class and key", "what was lost", "values"],
      rows: report.lossCount == report.lossKinds.count
        ? []
        : report.lossKinds.map { kind in
          [.quoted(kind.location), .quoted(kind.reason), .number(kind.count)]
        })
  }

  private static func losses(_ report: ConversionReport) -> ReportSection {
    ReportSection(
      .losses, "Lossy conversions", "Values that could not be stored exactly.",
      columns: ["archive", "object", "class and key", "before", "after", "what was lost"],
      rows: report.losses.map { loss in
        [
          .quoted(loss.archive), .number(loss.uid), .quoted(loss.location),
          .quoted(loss.before), .quoted(loss.after), .quoted(loss.reason),
        ]
      },
      leftOut: max(0, report.lossCount - report.losses.count))
  }

  private static func conflicts(_ report: ConversionReport) -> ReportSection {
    ReportSection(
      .conflicts, "Conflicts", "Where archives contradict each other or themselves.",
      columns: ["archive", "object", "class", "entity", "row", "property", "what disagrees"],
      rows: report.conflicts.map { conflict in
        [
          .quoted(conflict.archive), .number(conflict.uid), .quoted(conflict.className),
          .quoted(conflict.entity), .number(Int(conflict.row)), .quoted(conflict.property),
          .words(ReportWords.words(conflict.code)),
        ]
      },
      leftOut: max(0, report.conflictCount - report.conflicts.count))
  }

  private static func keys(
    _ found: [ConversionReport.KeyCount], _ name: Name, _ title: String, _ explanation: String
  ) -> ReportSection {
    ReportSection(
      name, title, explanation, columns: ["class", "key", "objects"],
      rows: found.map { [.quoted($0.className), .quoted($0.key), .number($0.count)] })
  }

  private static func unusedNames(_ report: ConversionReport) -> ReportSection {
    ReportSection(
      .unusedNames, "Names that match nothing",
      "The mapping or an option has these names, but the archives do not.",
      columns: ["place", "line", "column", "what is wrong"],
      rows: (report.unusedNames ?? []).map {
        [.quoted($0.path), .number($0.line), .number($0.column), .quoted($0.message)]
      })
  }

  private static func classes(
    _ found: [ConversionReport.ClassCount], _ name: Name, _ title: String, _ explanation: String
  ) -> ReportSection {
    ReportSection(
      name, title, explanation, columns: ["class", "objects"],
      rows: found.map { [.quoted($0.className), .number($0.count)] })
  }

  private static func names(
    _ found: [String], _ name: Name, _ title: String, _ explanation: String, _ column: String
  ) -> ReportSection {
    ReportSection(
      name, title, explanation, columns: [column], rows: found.map { [.quoted($0)] })
  }
}
