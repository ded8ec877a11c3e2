import ArchiveReader
import Testing

@Suite("The order in which names are asked for")
struct NameOrderTests {
  /// A text of its own memory, as a program makes it while it runs.
  private func made(_ text: String) -> String { text.map(String.init).joined() }

  @Test("is that of the time before")
  func isRemembered() {
    let order = NameOrder(count: 3)
    #expect(order.index(of: "first", after: -1) == -1)
    order.note("first", 0, after: -1)
    order.note("a name that takes more than fifteen bytes", 2, after: 0)
    #expect(order.index(of: "first", after: -1) == 0)
    #expect(order.index(of: "first", after: 0) == -1)
    #expect(order.index(of: "a name that takes more than fifteen bytes", after: 0) == 2)
    #expect(order.index(of: made("a name that takes more than fifteen bytes"), after: 0) == 2)
    #expect(order.index(of: "a name that takes more than fifteen bites", after: 0) == -1)
    #expect(order.index(of: "", after: 2) == -1)
  }

  @Test("is the last one, where it changes")
  func isReplaced() {
    let order = NameOrder(count: 2)
    order.note("one", 0, after: -1)
    order.note("two", 1, after: -1)
    #expect(order.index(of: "one", after: -1) == -1)
    #expect(order.index(of: "two", after: -1) == 1)
  }

  @Test("is not remembered behind names that are not there, or are too many")
  func isBounded() {
    for (count, last) in [(0, 0), (3, 3), (1_000, 256), (1_000, 999)] {
      let order = NameOrder(count: count)
      order.note("name", 0, after: last)
      #expect(order.index(of: "name", after: last) == -1, "\(last) of \(count)")
    }
    let order = NameOrder(count: 1_000)
    order.note("name", 900, after: 255)
    #expect(order.index(of: "name", after: 255) == 900)
  }
}
