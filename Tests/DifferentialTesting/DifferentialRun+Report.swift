import Converter

extension DifferentialRun {
  // MARK: The report

  mutating func checkReport(_ way: ConversionWay, _ report: ConversionReport) {
    // A small model leaves out what it has no place for.
    let isSmall = way == .smallModel
    let lists: [(String, Bool)] = [
      ("unread keys", report.unreadKeys.isEmpty || isSmall),
      ("ignored keys", report.ignoredKeys.isEmpty),
      ("classes without an entity", report.unmappedClasses.isEmpty),
      ("objects that were not visited", report.unvisitedObjects.isEmpty || isSmall),
      ("filtered objects", report.filteredObjects.isEmpty),
      ("lossy conversions", report.lossCount == 0 || way == .coreData),
      // A mapping that names an inverse has rows told whose owner does not hold them.
      ("conflicts", report.conflicts.allSatisfy { $0.code == .notInCollection }),
      ("broken rules", report.validationErrorCount == 0),
    ]
    for (name, isEmpty) in lists where !isEmpty { note(way, "the report has \(name)", "") }
  }

  /// Compares the figures of the report with those of the case.
  mutating func checkCounts(_ way: ConversionWay, _ report: ConversionReport) {
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
    if report.collections != graph.unownedCollections.count {
      note(
        way, "the figures of the report",
        "\(report.collections) collections, expected \(graph.unownedCollections.count)")
    }
  }
}
