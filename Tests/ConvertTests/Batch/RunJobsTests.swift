import TestSupport
import Testing

@Suite("convert run --jobs")
struct RunJobsTests {
  @Test("gives the same store, report and messages, however many archives are read at a time")
  func sameResult() throws {
    let folder = try ManyArchives.folder()
    var results: [[String]] = []
    for jobs in ["1", "2", "8", "64"] {
      let result = try folder.convert(
        "in", "-o", "out.db", "--jobs", jobs, "--open-nested", "--provenance", "-v", "--report",
        "r.json", "--if-exists", "replace")
      #expect(result.status == 1)
      try folder.store().expectSound()
      results.append([
        result.errors, result.output.masked, try folder.report(), try folder.wholeContent(),
      ])
    }
    #expect(
      results[0][0] == """
        in/1 damaged: the binary property list is truncated after 3000 bytes; --salvage may recover a part
        in/5 forms#10.damaged: the binary property list is truncated after 60 bytes; --salvage may recover a part
        in/6 damaged: the binary property list is truncated after 3000 bytes; --salvage may recover a part

        """)
    #expect(
      results[0][1].hasPrefix(
        "Converted 12 archives, skipped 2 duplicates, rejected 2 in # s"))
    for other in results.dropFirst() { #expect(other == results[0]) }
  }

  @Test("stops at the first damaged archive in the order of the inputs", arguments: ["1", "8"])
  func firstError(jobs: String) throws {
    let folder = try ManyArchives.folder()
    let result = try folder.convert(
      "in", "-o", "out.db", "--jobs", jobs, "--on-error", "stop")
    #expect(result.status == 2)
    #expect(
      result.errors
        == "in/1 damaged: the binary property list is truncated after 3000 bytes; "
        + "--salvage may recover a part\n")
    #expect(try folder.names() == ["in"])
  }

  @Test("makes a row of an object that is no value, wherever it is", arguments: ["1", "3"])
  func nonconformingClasses(jobs: String) throws {
    let folder = try TemporaryFolder()
    for number in 0..<8 {
      try folder.add("in/\(number)") { archive in
        let url = archive.instance(
          of: "NSURL",
          number == 6
            ? ["NS.relative": archive.string("x"), "extra": 1]
            : ["NS.base": .uid(0), "NS.relative": archive.string("http://a/\(number)")])
        return archive.instance(of: "Page", ["number": .integer(Int64(number)), "url": url])
      }
    }
    let result = try folder.convert("in", "-o", "out.db", "--jobs", jobs)
    #expect(result.status == 0, "\(result)")
    try folder.store().expect(
      "SELECT number FROM Page WHERE url_id IS NOT NULL OR url IS NOT 'http://a/' || number", "6")
    try folder.store().expect(#"SELECT "NS.relative", extra FROM NSURL"#, ["x|1"])
  }

  @Test("takes a number from 1 to 64", arguments: ["0", "65", "-1"])
  func limits(jobs: String) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let result = try folder.convert("Locations.archive", "-o", "out.db", "--jobs=\(jobs)")
    #expect(result.status == 64)
    #expect(
      result.errors.hasPrefix("Error: --jobs must be a whole number from 1 to 64.\n"))
    #expect(try folder.names() == ["Locations.archive"])
  }
}
