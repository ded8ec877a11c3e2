import Foundation
import TestSupport

extension TemporaryFolder {
  /// The name of an unfinished file for a store, as a run that was killed may have left it.
  static func unfinishedName(of store: String = "out.db", _ digits: String = "0123456789abcdef")
    -> String
  {
    ".\(store).\(digits).convert-partial"
  }

  /// The names of unfinished files and of their journals.
  func unfinished() throws -> [String] { try names().filter { $0.contains(".convert-partial") } }

  /// The names of all others.
  func finished() throws -> [String] { try names().filter { !$0.contains(".convert-partial") } }

  /// Whether there is an unfinished file of some size.
  func hasUnfinished(ofSize size: Int) -> Bool {
    let found = (try? unfinished()) ?? []
    return found.contains { name in
      var status = stat()
      return name.hasSuffix(".convert-partial") && stat(file(named: name), &status) == 0
        && status.st_size >= size
    }
  }

  /// The permissions of a file, as in "640".
  func mode(of name: String) -> String {
    var status = stat()
    guard lstat(file(named: name), &status) == 0 else { return "none" }
    return String(status.st_mode & 0o7777, radix: 8)
  }
}
