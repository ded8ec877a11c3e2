import Foundation
import TestSupport
import Testing

@Suite("convert run, called wrongly")
struct RunUsageTests {
  @Test(
    "ends with 64, says why on standard error, and does nothing",
    arguments: [
      ("", "Missing expected argument '<inputs> ...'"),
      (
        "Locations.archive",
        "Specify the store to write with -o, or a folder with --store-per-archive."
      ),
      ("Locations.archive --ouput out.db", "Unknown option '--ouput'. Did you mean '--output'?"),
      ("Locations.archive --xyz", "Unknown option '--xyz'."),
      (
        "verfy out.db Locations.archive",
        "No such subcommand or file: 'verfy'. Did you mean 'verify'?"
      ),
      ("help verfy", "No such subcommand: 'verfy'. Did you mean 'verify'?"),
      ("help nothing", "No such subcommand: 'nothing'."),
      ("infer Locations.archive --outptu x", "Unknown option '--outptu'. Did you mean '--output'?"),
      ("verify --reprot r.json", "Unknown option '--reprot'. Did you mean '--report'?"),
      ("-o out.db", "Missing expected argument '<inputs> ...'"),
      (
        "Locations.archive -o -",
        "-o cannot write to standard output; to write a file named '-', use './-'."
      ),
      (
        "Locations.archive --store-per-archive -",
        "--store-per-archive cannot write to standard output; to write a file named '-', use './-'."
      ),
      (
        "Locations.archive -o out.db --report-full -",
        "--report-full cannot write to standard output; to write a file named '-', use './-'."
      ),
      (
        "infer Locations.archive -o -",
        "-o cannot write to standard output; to write a file named '-', use './-'."
      ),
      (
        "migrate Locations.archive --model M.xcdatamodeld -o -",
        "-o cannot write to standard output; to write a file named '-', use './-'."
      ),
      (
        "model M.xcdatamodeld --create-store -",
        "--create-store cannot write to standard output; to write a file named '-', use './-'."
      ),
      (
        "Locations.archive --dry-run --if-exists append",
        "--if-exists append requires -o, the store to add to."
      ),
      (
        "Locations.archive --dry-run -o out.db --store-per-archive out",
        "-o and --store-per-archive cannot be used together."
      ),
      ("Locations.archive -o", "Missing value for '-o <output>'"),
      ("Locations.archive -o out.db --frobnicate", "Unknown option '--frobnicate'"),
      (
        "Locations.archive -o out.db --quiet --verbose",
        "--quiet and --verbose cannot be used together."
      ),
      (
        "Locations.archive -o out.db --report out.xml",
        "The report 'out.xml' must end in one of .json, .txt, .md, .html, .htm."
      ),
      (
        "Locations.archive -o out.db --report a.json --report b",
        "The report 'b' must end in one of .json, .txt, .md, .html, .htm."
      ),
      (
        "Locations.archive -o out.db --if-exists perhaps",
        "The value 'perhaps' is invalid for '--if-exists <fail|replace|append>'. "
          + "Please provide one of 'fail', 'replace' or 'append'."
      ),
      (
        "Locations.archive -o out.db --on-error shrug",
        "The value 'shrug' is invalid for '--on-error <stop|skip>'. "
          + "Please provide one of 'stop' and 'skip'."
      ),
    ])
  func isRefused(arguments: String, message: String) throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    let result = try Program.run(
      arguments.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errorLines.first == "Error: \(message)")
    #expect(try folder.names() == ["Locations.archive"])
  }

  @Test("refuses an empty argument, as a variable that is not set makes one")
  func emptyArgument() throws {
    let folder = try TemporaryFolder(samples: "Locations.archive")
    for arguments in [["", "-o", "out.db"], ["Locations.archive", "-o", ""], ["inspect", ""]] {
      let result = try Program.run(arguments, in: folder.path)
      #expect(result.status == 64)
      #expect(result.errors == "Error: an argument is empty: \"\"\n")
    }
    #expect(try folder.names() == ["Locations.archive"])
  }
}
