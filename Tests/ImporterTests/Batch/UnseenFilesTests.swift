import Foundation
import TestSupport
import Testing

@testable import Converter

@Suite("Files of a large directory that are not looked into before they are opened")
struct UnseenFilesTests {
  /// Files that are no property lists, or no archives, and are passed over.
  private static let others: [(name: String, text: String)] = [
    ("empty", ""), ("text", "not a list"), ("short", "bpl"), ("JSON", "{\"objects\": []}"),
    ("page", "<!DOCTYPE html><html></html>"), ("image", "<?xml version=\"1.0\"?><svg/>"),
    ("list", "<plist version=\"1.0\"><integer>1</integer></plist>"),
    (
      "list behind a long remark",
      "<?xml version=\"1.0\"?><!--\(String(repeating: "long ", count: 300))--><plist/>"
    ),
  ]

  /// A folder of 200 files, of which every fourth is looked into: others stand at some places.
  private func folder(firstOther: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for number in 0..<200 {
      let path = "in/\(1_000 + number).plist"
      let (place, rest) = (number - firstOther).quotientAndRemainder(dividingBy: 12)
      if rest == 0, Self.others.indices.contains(place) {
        try folder.write(Self.others[place].text, to: path)
      } else {
        try folder.write(SmallArchives.files[number], to: path)
      }
    }
    // Its name is one that no archive has.
    try folder.write("none of them", to: "in/1000a.txt")
    return folder
  }

  @Test("are taken for property lists if all of the same kind are that are looked into")
  func unseen() throws {
    func unseen(firstOther: Int, probesOnlySample: Bool = true) throws -> Int {
      let folder = try folder(firstOther: firstOther)
      let finder = InputFinder([folder.file(named: "in")], probesOnlySample: probesOnlySample)
      #expect(finder.skipped.count + finder.inputs.count == 201)
      #expect(finder.inputs.allSatisfy { $0.byteCount > 0 })
      return finder.inputs.count(where: \.isUnprobed)
    }
    // The empty file is none, and the text has another name.
    #expect(try unseen(firstOther: 1) == 199)
    #expect(try unseen(firstOther: 1, probesOnlySample: false) == 0)
    // The first file is looked into.
    #expect(try unseen(firstOther: 0) == 0)
  }

  @Test(
    "are passed over where they are none", arguments: [0, 1, 2],
    [Int.max, 2])
  func others(firstOther: Int, filesOfSpeculation: Int) throws {
    let folder = try folder(firstOther: firstOther)
    var options = ConversionOptions()
    options.jobs = 2
    options.speculation.files = filesOfSpeculation
    var conversion = Conversion(
      inputs: [folder.file(named: "in")], destination: folder.file(named: "out.sqlite"),
      options: options)
    let report = try conversion.run()
    #expect(report.skippedFiles == Self.others.count + 1)
    #expect(report.archives.count == 200 - Self.others.count)
    #expect(report.archives.allSatisfy { $0.outcome == .converted })
  }

  @Test(
    "are told of if they cannot be read, and not counted among those that are no archives",
    .enabled(if: geteuid() != 0, "root may read everything"))
  func unreadable() throws {
    let folder = try folder(firstOther: .max)
    let path = folder.file(named: "in/1001.plist")
    chmod(path, 0)
    let finder = InputFinder([folder.file(named: "in")])
    #expect(finder.skipped.count == 1)
    #expect(finder.unreadable.map(\.path) == [path])
    // Not looked into before it is opened.
    var conversion = Conversion(
      inputs: [folder.file(named: "in")], destination: folder.file(named: "out.sqlite"),
      options: ConversionOptions())
    let report = try conversion.run()
    #expect(report.skippedFiles == 1)
    #expect(report.archives.filter { $0.outcome == .rejected }.map(\.path) == [path])
  }
}
