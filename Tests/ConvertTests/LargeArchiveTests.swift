import Foundation
import TestSupport
import Testing

@Suite("convert run, on large archives")
struct LargeArchiveTests {
  @Test("follows a long list of objects in a small stack and in little memory")
  func followsLongList() throws {
    let count = Thoroughness.isWhole ? 1_000_000 : 200_000
    let (objects, links) =
      Thoroughness.isWhole ? ("1,000,000", "999,999") : ("200,000", "199,999")
    // The heads of columns are above the last digits.
    let space = String(repeating: " ", count: objects.count - 4)
    let folder = try TemporaryFolder()
    try folder.write(LinkedListArchive.bytes(count: count), to: "list.archive")
    let result = try folder.convert(
      "list.archive", "-o", "out.db", limits: ["-s 512", "-v 2000000"])
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(
      result.output.masked == """
        Converted 1 archive in # s → out.db, # kB

        entity  archived objects  \(space)rows  values    links
        Link    \(String(repeating: " ", count: 16 - objects.count))\(objects)  \(objects)       0  \(links)

        Nothing was left behind: every reachable value is in the store.

        """)
    let store = try folder.store()
    try store.expect(
      "SELECT count(*), sum(next_id = id + 1), sum(next_id IS NULL), max(id), sum(next_id) "
        + "FROM Link", ["\(count)|\(count - 1)|1|\(count)|\(count * (count + 1) / 2 - 1)"])
    try store.expect("SELECT id FROM Link WHERE next_id IS NULL", "\(count)")
    try store.expect("SELECT * FROM _top", ["1|1|root|NULL|Link|1"])
  }

  @Test("keeps each object once where everything points at everything")
  func keepsDenseGraph() throws {
    let count = 300
    let folder = try TemporaryFolder()
    try folder.add("dense.archive") { archive in
      let slots = (0..<count).map { _ in archive.reserve() }
      for (number, slot) in slots.enumerated() {
        // Each begins with itself, so no two arrays are alike.
        let all = (0..<count).map { slots[(number + $0) % count].reference }
        archive.fill(
          slot, className: "Knot",
          ["number": .integer(Int64(number)), "others": archive.array(all)])
      }
      return slots[0].reference
    }
    let result = try folder.convert("dense.archive", "-o", "out.db", "--provenance")
    #expect(result.status == 0)
    #expect(
      result.output.masked == """
        Converted 1 archive in # s → out.db, # kB

        entity  archived objects  rows  values   links
        Knot                 300   300     300  90,000

        Nothing was left behind: every reachable value is in the store.

        """)
    let store = try folder.store()
    try store.expect(
      "SELECT count(*), count(DISTINCT number), max(id) FROM Knot",
      [
        "300|300|300"
      ])
    try store.expect("SELECT count(*) FROM _objects", "300")
    // The member at each position is the one that the array holds there.
    try store.expect(
      "SELECT count(*) FROM Knot_others AS o JOIN Knot AS a ON a.id = o.Knot_id "
        + "JOIN Knot AS b ON b.id = o.Knot_id_2 "
        + "WHERE b.number = (a.number + o.position) % 300", "90000")
    try store.expectSound()
  }
}
