import Testing

@testable import Reporting

@Suite("The verdict of a report")
struct ReportVerdictTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var sentence: String
    var kind: ReportVerdict.Kind
    var outcomes: [ConversionReport.Archive.Outcome] = [.converted]
    var change: @Sendable (inout ConversionReport) -> Void = { _ in }

    var testDescription: String { sentence }
  }

  static let cases = [
    Case(sentence: "The archive was converted; the store was not verified.", kind: .good),
    Case(
      sentence: "All 2 archives were converted; the store is verified.", kind: .good,
      outcomes: [.converted, .converted]
    ) { $0.verification = VerificationResult() },
    Case(
      sentence: "The archive was converted; the store differs from the archives in 3 places.",
      kind: .bad
    ) { report in
      var result = VerificationResult()
      result.differenceCount = 3
      report.verification = result
    },
    Case(
      sentence: "1 of 4 archives was converted, 1 already in the store, 2 were rejected; "
        + "the store was not verified.", kind: .bad,
      outcomes: [.rejected, .converted, .skipped, .rejected]),
    Case(
      sentence: "1 of 2 archives was converted, 1 is a duplicate; the store was not verified.",
      kind: .good, outcomes: [.converted, .skipped]
    ) { $0.archives[1].duplicateOf = "first" },
    Case(
      sentence: "Nothing new: the store already has all archives; the store was not verified.",
      kind: .good, outcomes: [.skipped, .skipped]),
    Case(sentence: "The archive can be converted; nothing was kept.", kind: .good) {
      ($0.isDryRun, $0.storeBytes) = (true, nil)
    },
    Case(sentence: "Nothing was written.", kind: .bad, outcomes: [.rejected]) {
      $0.storeBytes = nil
    },
    Case(sentence: "Nothing was written: 1 validation error.", kind: .bad) {
      ($0.storeBytes, $0.validationErrorCount) = (nil, 1)
    },
    Case(
      sentence: "Nothing was written: the store would differ from the archives in 1 place.",
      kind: .bad
    ) { report in
      var result = VerificationResult()
      result.differenceCount = 1
      (report.storeBytes, report.verification) = (nil, result)
    },
    Case(
      sentence: "The archive was converted, parts could not be read; the store was not verified.",
      kind: .bad
    ) { $0.archives[0].damageCount = 1 },
    Case(
      sentence: "The archive was converted; 1 value could not be kept exactly; the store was not "
        + "verified.", kind: .attention
    ) {
      $0.lossCount = 1
    },
    Case(
      sentence: "The archive was converted; 0 of 204 objects became rows; the store is verified.",
      kind: .bad
    ) { report in
      report.archivedObjects = 204
      report.unmappedClasses = [ConversionReport.ClassCount("Box", 1)]
      report.unvisitedObjects = [ConversionReport.ClassCount("Recipe", 203)]
      report.verification = VerificationResult()
    },
    Case(
      sentence: "The archive was converted; 1 of 4 objects became rows; 5 values were left behind; "
        + "the store was not verified.", kind: .attention
    ) { report in
      let entity = ConversionReport.Entity(
        name: "Owner", archivedClasses: [], archivedObjects: 2, rows: 1, attributes: [],
        relationships: [])
      report.archivedObjects = 4
      report.entities = [entity]
      report.unmappedClasses = [ConversionReport.ClassCount("Recipe", 2)]
      report.filteredObjects = [ConversionReport.ClassCount("Owner", 1)]
      report.unreadKeys = [
        ConversionReport.KeyCount(ImportFindings.ClassKey(className: "Owner", key: "age"), 5)
      ]
    },
    Case(
      sentence: "The archive was converted; 3 objects, 1 value and 2 links were left behind; "
        + "the store was not verified.", kind: .attention
    ) { report in
      // Earlier runs converted some of the archives: how many objects there are is not known.
      report.unmappedClasses = [ConversionReport.ClassCount("Recipe", 3)]
      report.omissions = [
        LayoutOmission(kind: .value, entity: "Owner", property: "age", reason: "", count: 1),
        LayoutOmission(kind: .link, entity: "Owner", property: "dog", reason: "", count: 2),
      ]
    },
  ]

  @Test("is one sentence, and how well it went", arguments: cases)
  func verdict(of one: Case) {
    var report = ConversionReport(storePath: "out.db", isDryRun: false)
    report.storeBytes = 1
    report.archives = one.outcomes.enumerated().map {
      ConversionReport.Archive(path: "\($0)", outcome: $1)
    }
    one.change(&report)
    let saysWhole = ReportText(report, isVerbose: false).text().contains("Nothing was left behind")
    #expect(!saysWhole || one.kind == .good)
    let verdict = ReportVerdict(report)
    #expect(verdict.sentence == one.sentence)
    #expect(verdict.kind == one.kind)
  }
}
