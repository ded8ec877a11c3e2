import ArchiveWriter
import TestSupport
import Testing

@Suite("A superclass of several archived classes")
struct SuperclassViewTests {
  /// Writes an archive of objects, each with a class, its superclasses and its values.
  private func add(
    _ name: String, to folder: TemporaryFolder,
    _ objects: (className: String, superclasses: [String], values: [String: Int64])...
  ) throws {
    try folder.add(name) { archive in
      archive.array(
        objects.map { object in
          archive.instance(
            of: object.className,
            hierarchy: [object.className] + object.superclasses + ["NSObject"],
            object.values.sorted { $0.key < $1.key }.map { KeyValue($0.key, .integer($0.value)) })
        })
    }
  }

  private func views(_ folder: TemporaryFolder) throws -> [String] {
    try folder.store().lines("SELECT sql FROM sqlite_schema WHERE type = 'view' ORDER BY name")
  }

  @Test("has a view over the columns that all their tables have")
  func view() throws {
    let folder = try TemporaryFolder()
    try add(
      "one", to: folder, ("MTCat", ["MTAnimal", "MTBase"], ["age": 3, "lives": 9]),
      ("MTDog", ["MTAnimal", "MTBase"], ["age": 5, "size": 2]), ("MTStone", [], ["age": 10]))
    #expect(try folder.convert("one", "-o", "out.db", "--verify", "-q").status == 0)
    #expect(
      try views(folder) == [
        """
        CREATE VIEW MTAnimal AS
          SELECT 'MTCat' AS _entity, id, age FROM MTCat
          UNION ALL SELECT 'MTDog', id, age FROM MTDog
        """
      ])
    try folder.store().expect("SELECT * FROM MTAnimal", ["MTCat|1|3", "MTDog|1|5"])
  }

  @Test("gives the view its name without the prefix that the entities do without")
  func prefix() throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, ("MTCat", ["MTAnimal"], ["age": 3]), ("MTDog", ["MTAnimal"], [:]))
    let options = ["--strip-prefix", "MT", "--verify", "-q"]
    #expect(try Program.run(["one", "-o", "out.db"] + options, in: folder.path).status == 0)
    try folder.store().expect("SELECT * FROM Animal", ["Cat|1", "Dog|1"])
  }

  @Test("has none if it is archived itself, is Foundation's, has one class, or has no free name")
  func none() throws {
    let folder = try TemporaryFolder()
    try add(
      "one", to: folder, ("Cat", ["Animal"], [:]), ("Dog", ["Animal"], [:]), ("Animal", [], [:]),
      ("Rose", ["Plant"], [:]), ("Cup", ["NSCoder_", "Cup_list"], [:]), ("Mug", ["cat"], [:]),
      ("Jug", ["cat"], [:]), ("MyArray", ["NSMutableArray", "NSArray"], ["a": 1]),
      ("MyList", ["NSMutableArray", "NSArray"], ["a": 1]))
    #expect(try folder.convert("one", "-o", "out.db", "--verify", "-q").status == 0)
    #expect(try views(folder) == [])
  }

  @Test("has none where a mapping declares inheritance")
  func declared() throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, ("Cat", ["Animal"], ["age": 3]), ("Dog", ["Animal"], ["age": 5]))
    try folder.write(
      "entities: {Pet: {abstract: true}, Cat: {parent: Pet}, Dog: {parent: Pet}}", to: "m.yaml")
    #expect(
      try folder.convert("one", "--mapping", "m.yaml", "-o", "out.db", "--verify", "-q").status
        == 0)
    try folder.store().expect(
      "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name", ["Cat", "Dog"])
  }

  @Test("has the view made again by each run that adds to the store, or dropped")
  func appending() throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, ("Cat", ["Animal"], ["age": 3]), ("Dog", ["Animal"], ["age": 5]))
    try add("two", to: folder, ("Cow", ["Animal"], ["age": 7]))
    try add("three", to: folder, ("Animal", [], ["age": 1]))
    #expect(try folder.convert("one", "-o", "out.db", "-q").status == 0)
    #expect(try folder.append("two", "--verify", "-q").status == 0)
    #expect(try folder.convert("verify", "out.db", "one", "two", "-q").status == 0)
    try folder.store().expect("SELECT * FROM Animal", ["Cat|1|3", "Dog|1|5", "Cow|1|7"])
    #expect(try folder.append("three", "--verify", "-q").status == 0)
    #expect(try folder.convert("verify", "out.db", "one", "two", "three", "-q").status == 0)
    #expect(try views(folder) == [])
    try folder.store().expect("SELECT * FROM Animal", ["1|1"])
  }

  @Test("has a view that verification compares")
  func verified() throws {
    let folder = try TemporaryFolder()
    try add("one", to: folder, ("Cat", ["Animal"], ["age": 3]), ("Dog", ["Animal"], ["age": 5]))
    #expect(try folder.convert("one", "-o", "out.db", "-q").status == 0)
    let editor = try StoreEditor(folder.file(named: "out.db"))
    try editor.run(
      "DROP VIEW Animal; CREATE VIEW Animal AS SELECT 'Cat' AS _entity, id, age FROM Cat;")
    editor.close()
    let changed = try folder.convert("verify", "out.db", "one")
    #expect(
      changed.output.contains("  the store: Animal: expected a view, found another one\n"))
    #expect(changed.status == 1)
  }

  @Test("is suggested as a parent by drafts, whose lines need only be uncommented")
  func drafts() throws {
    let folder = try TemporaryFolder()
    try add(
      "one", to: folder, ("Cat", ["Mammal", "Animal"], ["age": 3]),
      ("Dog", ["Mammal", "Animal"], ["age": 5]), ("Hen", ["Animal"], ["age": 1, "eggs": 4]))
    #expect(try folder.convert("infer", "one", "-o", "m.yaml").status == 0)
    let draft = try folder.text(of: "m.yaml")
    let lines = draft.split(separator: "\n").map(String.init)
    let suggested = lines.filter { $0.contains(/# +(parent|abstract|Mammal|Animal):/) }
    #expect(
      suggested == [
        "  # Mammal:", "  #   parent: Animal", "  #   abstract: true", "  # Animal:",
        "  #   abstract: true", "    # parent: Mammal", "    # parent: Mammal",
        "    # parent: Animal",
      ])
    try folder.write(
      lines.map { suggested.contains($0) ? $0.replacing("# ", with: "", maxReplacements: 1) : $0 }
        .joined(separator: "\n"), to: "m.yaml")
    #expect(
      try folder.convert("one", "--mapping", "m.yaml", "-o", "out.db", "--verify", "-q").status
        == 0)
    try folder.store().expect(
      "SELECT _entity, age, eggs FROM Animal", ["Cat|3|NULL", "Dog|5|NULL", "Hen|1|4"])
    try folder.store().expect("SELECT * FROM Mammal", ["1|Cat", "2|Dog"])
  }
}
