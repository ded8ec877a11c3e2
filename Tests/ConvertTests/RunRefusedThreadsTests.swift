import Foundation
import TestSupport
import Testing

@Suite("convert, where the system refuses threads")
struct RunRefusedThreadsTests {
  #if os(Linux)
    private static let list = LinkedListArchive.bytes(count: 70_000)

    @Test(
      "does the work by itself, or ends with words",
      arguments: Thoroughness.some([60, 80, 100, 120, 140, 160, 200, 300, 500], oneIn: 2))
    func ends(mebibytes: Int) throws {
      let folder = try TemporaryFolder(samples: "Locations.archive", "MentalCase.archive")
      try folder.write(Self.list, to: "in/list.archive")
      for number in 0..<70 { try folder.addSample("QuickRecord.archive", as: "in/\(number)") }
      let result = try Program.run(
        ["in", "Locations.archive", "-o", "out.db", "--verify", "--jobs", "4"], in: folder.path,
        limits: ["-v \(mebibytes * 1_024)"])
      // The limit may be too low for the program itself to start.
      #expect(result.signal != SIGKILL, "\(result)")
      if result.status == 0 {
        try folder.store().expect("SELECT count(*) FROM _archive", ["3"])
      }
    }
  #endif
}
