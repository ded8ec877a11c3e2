import Importer
import Testing

@Suite("Totals that were doubles, by the article's own policy and its accidents")
struct DecimalPolicySeedTests {
  private func run(
    _ total: Double, _ policy: any MigrationPolicy.Type
  ) throws -> SeedRun {
    try SeedRun(
      DecimalSeedTests.period(.real(total)), mapping: PeriodPolicy.mapping,
      policies: ["SduTrackingPeriodMigration016To023": policy])
  }

  @Test(
    "NaN and infinity end the run with nothing written, where the article's code stores 0",
    arguments: [(Double.nan, "NaN"), (.infinity, "infinity")])
  func notFinite(total: Double, name: String) throws {
    let messages = try run(total, PeriodPolicy.self).messages()
    #expect(
      messages == [
        "a0.plist: object 4 (TrackingPeriod): TrackingPeriod: the policy failed (SduTrackingPeriodMigration016To023: \(name) is not "
          + "a decimal number)"
      ])
  }

  @Test("a text with grouping separators is an error or the number, and never cut off")
  func grouping() throws {
    let messages = try run(1234.5, FormatterPolicy.self).messages()
    #expect(
      messages == [
        "a0.plist: object 4 (TrackingPeriod): TrackingPeriod: the policy failed (FormatterPolicy: the text has a "
          + "grouping separator or characters that are not part of a number)"
      ])
    let store = try run(1234.5, GroupingPolicy.self).convert()
    #expect(try store.lines("SELECT expenseTotal FROM TrackingPeriod") == ["1234.5"])
  }

  @Test("a text in another locale is an error or the number, and never cut off")
  func germanLocale() throws {
    let messages = try run(56.78888, GermanPolicy.self).messages()
    #expect(
      messages == [
        "a0.plist: object 4 (TrackingPeriod): TrackingPeriod: the policy failed (GermanPolicy: the text has a "
          + "grouping separator or characters that are not part of a number)"
      ])
    let store = try run(56.78888, GermanReadingPolicy.self).convert()
    #expect(try store.lines("SELECT expenseTotal FROM TrackingPeriod") == ["56.79"])
  }

  @Test("a policy whose begin fails ends the run, and nothing is written")
  func begin() throws {
    let messages = try run(1, FailingBeginPolicy.self).messages()
    #expect(
      messages == [
        "a hook or policy stopped the run: FailingBeginPolicy.begin, mapping 'TrackingPeriodToTrackingPeriod': cancelled: no formatter"
      ])
  }

  @Test("a policy that does not associate its rows is told so")
  func association() throws {
    let messages = try run(1, ForgetfulPolicy.self).messages()
    #expect(
      messages == [
        "a0.plist: object 4 (TrackingPeriod): TrackingPeriod: the policy created rows without "
          + "associating them with the object"
      ])
  }

  @Test("a policy that the program does not have is named, with its place in the mapping")
  func unknownPolicy() throws {
    let run = try SeedRun(
      DecimalSeedTests.period(.real(1)), mapping: PeriodPolicy.mapping,
      policies: ["SduTrackingPeriodMigration": PeriodPolicy.self])
    let messages = try run.messages()
    #expect(
      messages == [
        "mapping.yaml:4:13: no policy is registered as 'SduTrackingPeriodMigration016To023' "
          + "(did you mean 'SduTrackingPeriodMigration'?)"
      ])
  }
}
