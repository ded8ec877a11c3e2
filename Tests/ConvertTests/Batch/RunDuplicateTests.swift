import Foundation
import TestSupport
import Testing

@Suite("convert run, on archives with the same bytes")
struct RunDuplicateTests {
  @Test("converts the first of them, and lists the others, without an error")
  func sameBytes() throws {
    let folder = try TemporaryFolder()
    try folder.addTwoOfNotes()
    try folder.write(try folder.contents(of: "one"), to: "copy")
    #expect(link(folder.file(named: "one"), folder.file(named: "linked")) == 0)
    #expect(symlink("one", folder.file(named: "symbolic")) == 0)
    let result = try folder.convert(
      "one", "copy", "two", "linked", "symbolic", "one", "-o", "out.db", "--report", "r.json")
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(
      result.output.masked == """
        Converted 2 archives, skipped 4 duplicates in # s → out.db, # kB

        entity  archived objects  rows  values  links
        Note                   4     4       9      0

        Nothing was left behind: every reachable value is in the store.
        Collections: 2 under top-level keys or in other collections, with 4 links.

        """)
    let once = try folder.convert("one", "two", "-o", "once.db")
    #expect(once.status == 0)
    // The report lists the others.
    #expect(
      try folder.wholeContent(except: ["_report"])
        == folder.wholeContent("once.db", except: ["_report"]))
    let report = try folder.report()
    #expect(report.matches(of: /"duplicateOf" : "one"/).count == 4)
    #expect(report.matches(of: /"outcome" : "skipped"/).count == 4)
  }

  @Test("leaves what is inside of the others out as well")
  func nested() throws {
    let folder = try TemporaryFolder()
    try folder.write(NestedArchives.chain(3), to: "a")
    try folder.write(NestedArchives.chain(3), to: "b")
    let result = try folder.convert(
      "a", "b", "-o", "out.db", "--open-nested", "--report", "r.json")
    #expect(result.status == 0)
    let store = try folder.store()
    try store.expect(
      "SELECT path FROM _archive", ["a", "a#2.payload", "a#2.payload#2.payload"])
    try store.expect("SELECT name FROM Item", ["1", "2", "3"])
    let report = try folder.report()
    #expect(
      report.matches(of: /"duplicateOf" : "(.*)"/).map { String($0.output.1) }
        == ["a", "a#2.payload", "a#2.payload#2.payload"])
  }

  @Test("rejects all of them where they break a rule")
  func brokenRule() throws {
    let folder = try TemporaryFolder()
    try folder.addTwoOfNotes()
    for name in ["in/1", "in/3", "in/4"] {
      try folder.addNotes(name, ["uid": "z", "rank": 5])
    }
    try folder.addNotes("in/2", ["uid": "a", "title": "t", "rank": 1])
    try folder.write(
      "entities: {Note: {attributes: {title: {optional: false}}}}", to: "m.yaml")
    let result = try folder.convert("in", "-o", "out.db", "--mapping", "m.yaml")
    #expect(result.status == 1, "\(result)")
    #expect(result.errorLines.map { $0.prefix(5) } == ["in/1:", "in/3:", "in/4:"])
    try folder.store().expect("SELECT path FROM _archive", ["in/2"])
  }

  @Test("knows those that the store has already from those of the same run")
  func append() throws {
    let folder = try TemporaryFolder.withStoreOfNotes()
    try folder.write(try folder.contents(of: "one"), to: "copy")
    try folder.write(try folder.contents(of: "two"), to: "more")
    let result = try folder.append("one", "copy", "two", "more", "--report", "r.json")
    #expect(result.status == 0)
    #expect(
      result.output.hasPrefix(
        "Converted 1 archive, skipped 2 already in the store, "
          + "skipped 1 duplicate in "))
    let report = try folder.report()
    #expect(
      report.matches(of: /"duplicateOf" : "(.*)"/).map { String($0.output.1) } == ["two"])
  }
}
