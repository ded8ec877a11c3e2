import Foundation
import TestSupport
import Testing

@Suite("The hook of commit messages")
struct CommitMessageTests {
  @Test(
    "refuses what is not of the form",
    arguments: [
      ("Read dates of both kinds\n\nThe older one was taken for a number.\n", ""),
      ("Read it\n\nWhy.\n# A comment of git's\n", ""),
      ("Merge branch 'dates'\n", ""),
      ("read dates\n\nWhy.\n", "the subject begins with a verb in the imperative"),
      ("Read dates.\n\nWhy.\n", "the subject ends with a full stop"),
      ("Read dates\nof both kinds\n", "no empty line follows the subject"),
      ("Read dates\n", "the body, which says why, is missing"),
      ("Read dates\n\n# A comment of git's\n", "the body, which says why, is missing"),
      (
        "Read \(String(repeating: "d", count: 68))\n\nWhy.\n",
        "the subject has 73 columns: 72 are the most"
      ),
    ])
  func messages(message: String, reason: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(message.utf8), to: "message")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(Repository.root)/Scripts/hooks/commit-msg")
    process.arguments = [path]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let output = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == (reason.isEmpty ? 0 : 1))
    #expect(
      output == (reason.isEmpty ? "" : "commit-msg: \(reason) (CONTRIBUTING.md, Commits)\n"))
  }
}
