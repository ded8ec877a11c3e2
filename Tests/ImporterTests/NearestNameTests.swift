import Importer
import Testing

@Suite("The nearest name")
struct NearestNameTests {
  @Test(
    "A name is found that differs in one letter of three at most",
    arguments: [
      ("atributes", ["attributes", "relationships"], "attributes"),
      ("attributse", ["attributes"], "attributes"),
      ("atribtues", ["attributes"], "attributes"),
      ("halfup", ["halfUp", "halfDown"], "halfUp"),
      ("WHERE", ["from", "where"], "where"),
      ("form", ["from", "fold"], "from"),
      ("frm", ["form", "from"], "from"),
      ("id", ["uid", "name"], "uid"),
      ("größe", ["grösse", "größen"], "größen"),
      ("Person", ["person_2", "PERSON"], "PERSON"),
      ("entitys", ["entities"], "entities"),
    ])
  func found(name: String, names: [String], nearest: String) {
    #expect(NearestName.find(name, in: names) == nearest)
  }

  @Test(
    "A name that differs in more is not taken for another",
    arguments: [
      ("relationships", ["attributes"]), ("ab", ["cd"]), ("a", ["b"]), ("", ["a"]), ("a", []),
      ("abc", ["axy"]), ("title", ["owner", "tags", ""]),
    ])
  func notFound(name: String, names: [String]) {
    #expect(NearestName.find(name, in: names) == nil)
  }

  @Test("Names of any length are compared in little time")
  func longNames() {
    let long = String(repeating: "a", count: 5_000_000)
    #expect(NearestName.find(long, in: [long]) == nil)
    #expect(NearestName.find("a", in: [long]) == nil)
    let most = String(repeating: "a", count: 99)
    #expect(NearestName.find(most + "b", in: [most, long]) == most)
  }
}
