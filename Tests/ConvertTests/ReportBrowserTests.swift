import Foundation
import TestSupport
import Testing

@Suite(
  "The page of a report in a browser",
  .enabled(if: Browser.path != nil, "there is no Chromium here"))
struct ReportBrowserTests {
  @Test("shows verdict and figures, runs its script, and has nothing to complain of")
  func showsFigures() throws {
    let folder = try TemporaryFolder(samples: "QuickRecord.archive", "Locations.xml")
    try folder.addDamagedSample(as: "damaged")
    _ = try folder.convert(
      "QuickRecord.archive", "Locations.xml", "damaged", "-o", "out.db", "--on-error", "skip",
      "--report", "report.html", "-q")
    let page = try Browser.load(folder.file(named: "report.html"), in: folder)
    #expect(
      page.text.firstMatch(of: /<span id="verdict">(.*?)<\/span>/)?.output.1
        == "2 of 3 archives were converted, 1 was rejected; the store was not verified.")
    let tiles = page.text.matches(of: /<dt>(.*?)<\/dt><dd>(.*?)<\/dd><\/div>/)
      .map { "\($0.output.1): \($0.output.2)" }
    #expect(
      Array(tiles.prefix(5)) == [
        "archives: 2 of 3", "entities: 3", "rows: 13", "values: 50", "links: 5",
      ])
    // What the script adds shows that the policy of the page lets it run.
    #expect(page.text.contains("placeholder=\"Filter all lists\""))
    #expect(page.text.contains("<div class=\"tools\" role=\"search\">"))
    #expect(page.complaints == [])
  }

  @Test("stays harmless whatever the names in an archive are")
  func staysHarmless() throws {
    let name = "</script><img src=x onerror=\"document.title='broken'\">"
    let folder = try TemporaryFolder()
    try folder.add("archive") { archive in
      archive.instance(of: name, ["</td><script>document.title='broken'</script>": 1])
    }
    _ = try folder.convert("archive", "-o", "out.db", "--report", "report.html", "-q")
    let page = try Browser.load(folder.file(named: "report.html"), in: folder)
    #expect(page.text.contains("<title>Conversion report: out.db</title>"))
    #expect(!page.text.contains("<img"))
    #expect(page.text.matches(of: /<script/).count == 1)
    #expect(page.text.contains("&lt;/script&gt;&lt;img src=x"))
    #expect(page.complaints == [])
  }
}
