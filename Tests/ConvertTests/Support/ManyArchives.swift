import ArchiveWriter
import Foundation
import TestSupport
import Testing

/// A folder with archives of all kinds, and what becomes of them.
enum ManyArchives {
  /// How many archives are converted, those inside of others left out.
  static let converted = 12

  /// Makes the folder "in": sound archives, binary and as XML, some with others inside of them;
  /// damaged ones; ones with the same bytes; a file that is no archive.
  static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for number in 0..<9 {
      let notes = NestedArchives.item("Note", name: "note \(number)")
      let isXML = number.isMultiple(of: 3)
      try folder.write(isXML ? try notes.xml() : notes.binary(), to: "in/\(number) note")
    }
    try folder.write(NestedArchives.chain(3), to: "in/2 nested")
    try folder.write(try NestedArchives.allForms().binary(), to: "in/5 forms")
    try folder.addSample("MentalCase.archive", as: "in/7 sample")
    try folder.addDamagedSample(as: "in/1 damaged")
    try folder.addDamagedSample(as: "in/6 damaged")
    try folder.write(try folder.contents(of: "in/4 note"), to: "in/4 same")
    try folder.write(try folder.contents(of: "in/2 nested"), to: "in/8 same")
    try folder.write("no archive", to: "in/3 text")
    return folder
  }
}

extension TemporaryFolder {
  /// All that a store says, but for the time of the conversion and what is in some tables.
  func wholeContent(
    _ store: String = "out.db", except left: Set<String> = []
  ) throws -> String {
    let query = try self.store(store)
    let columns = try query.lines(
      "SELECT name FROM pragma_table_info('_archive') WHERE name <> 'converted'")
    let archives = try query.lines(
      "SELECT \(columns.joined(separator: ", ")) FROM _archive ORDER BY id")
    return try query.schema() + query.content(except: left.union(["_archive"])) + "\n"
      + archives.joined(separator: "\n")
  }

  /// A report in JSON without what differs from run to run: times, and the file of the store.
  func report(_ name: String = "r.json") throws -> String {
    var report = try #require(
      try JSONSerialization.jsonObject(with: try contents(of: name)) as? [String: Any])
    for key in ["startedAt", "seconds", "store"] { report[key] = nil }
    let data = try JSONSerialization.data(
      withJSONObject: report, options: [.sortedKeys, .prettyPrinted])
    return String(decoding: data, as: UTF8.self)
  }
}
