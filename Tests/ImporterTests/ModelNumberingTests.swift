import Importer
import Testing

@Suite("Numbers of entities")
struct ModelNumberingTests {
  private func numbered(_ entities: [(name: String, parent: String?)]) -> [String] {
    Model(entities: entities.map { Entity(name: $0.name, parent: $0.parent) })
      .numberedEntities.map { "\($0.entity.name) \($0.number)" }
  }

  @Test("Roots are sorted, each is followed by its subentities")
  func tree() {
    #expect(
      numbered([
        ("Author", "Writer"), ("Writer", nil), ("Page", nil), ("GraphicNovel", "Book"),
        ("Feedback", nil), ("Book", nil),
      ]) == ["Book 1", "GraphicNovel 2", "Feedback 3", "Page 4", "Writer 5", "Author 6"])
  }

  @Test("Case does not count")
  func letterCase() {
    #expect(
      numbered([("NWActivityFragment", nil), ("NetworkAttachment", nil), ("apple", nil)])
        == ["apple 1", "NetworkAttachment 2", "NWActivityFragment 3"])
  }

  @Test("Subentities of subentities come first")
  func depth() {
    #expect(
      numbered([("B", "A"), ("C", "A"), ("Z", "B"), ("A", nil), ("AB", nil)])
        == ["A 1", "B 2", "Z 3", "C 4", "AB 5"])
  }

  @Test("Any model can be numbered")
  func odd() {
    #expect(numbered([("A", "B"), ("B", "A"), ("C", "D")]) == ["C 1"])
    #expect(numbered([("A", nil), ("A", nil), ("B", "A")]).count == 3)
    #expect(numbered([]) == [])
  }
}
