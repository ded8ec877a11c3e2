import Converter
import CoreDataStores
import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Rows of a Core Data store that are alike in what its model says is unique")
struct StoreUniquenessTests {
  private static let model = Model(
    entities: [
      Entity(
        name: "Person",
        attributes: [
          Attribute(name: "email", type: .string), Attribute(name: "made", type: .date),
          Attribute(name: "rank", type: .integer16),
        ],
        relationships: [
          Relationship(name: "team", destinations: ["Team"], isToMany: false, inverse: "people")
        ], uniquenessConstraints: [["email"], ["team", "rank"]]),
      Entity(
        name: "Team", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "people", destinations: ["Person"], isToMany: true, inverse: "team")
        ]),
    ])

  private static let rows = """
    INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'a');
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZEMAIL, ZRANK, ZTEAM) VALUES
      (1, 1, 1, 'x', 1, 1), (2, 1, 1, 'y', 2, 1), (3, 1, 1, NULL, 3, NULL), (4, 1, 1, NULL, 3, NULL);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 4;
    """

  private let maker: StoreMaker
  private let modelPath: String

  init() throws {
    maker = try StoreMaker(Self.model, Self.rows)
    modelPath = maker.folder.file(named: "M.xcdatamodeld")
    try XMLModelWriter(Self.model).write(to: modelPath)
  }

  /// Makes rows alike, which the indexes of the store would not allow.
  private func repeatValues() throws {
    try maker.edit(
      """
      DROP INDEX Z_Person_UNIQUE_email; DROP INDEX Z_Person_UNIQUE_team_rank;
      UPDATE ZPERSON SET ZEMAIL = 'x' WHERE Z_PK < 4; UPDATE ZPERSON SET ZRANK = 1 WHERE Z_PK = 2;
      """)
  }

  private func convert(
    _ input: String? = nil, model: String? = nil, to layout: StoreLayout
  ) throws -> (
    store: StoreQuery, report: ConversionReport, options: ConversionOptions, path: String
  ) {
    var options = ConversionOptions()
    (options.modelPath, options.layout, options.verifies) = (model ?? modelPath, layout, true)
    options.existingStore = .replace
    let path = maker.folder.file(named: "\(layout).sqlite")
    var conversion = Conversion(
      inputs: [input ?? maker.path], destination: path, options: options)
    let report = try conversion.run()
    return (try StoreQuery(path), report, options, path)
  }

  @Test(
    "are kept, counted in the report, and have no unique index", arguments: StoreLayout.allCases)
  func kept(layout: StoreLayout) throws {
    try repeatValues()
    let (store, report, options, path) = try convert(to: layout)
    #expect(report.verification?.isPassed == true)
    #expect(
      report.omissions == [
        LayoutOmission(repeated: ["email"], of: "Person", rows: 3),
        LayoutOmission(repeated: ["team", "rank"], of: "Person", rows: 2),
      ])
    #expect(
      try report.text(as: .text).contains(
        "Stored without a unique index: 3 rows of Person 'email' (they are alike, though unique in "
          + "the model)"))
    #expect(try store.lines("SELECT name FROM sqlite_schema WHERE sql LIKE '%UNIQUE INDEX%'") == [])
    #expect(
      try store.lines("SELECT count(*) FROM \(layout == .coreData ? "ZPERSON" : "Person")") == ["4"]
    )
    var verifier = StoreVerifier(store: path, inputs: [maker.path], options: options)
    #expect(try verifier.run().verification?.isPassed == true)
  }

  @Test("are not there in most stores, whose like in Core Data's layout has the indexes")
  func unique() throws {
    let (store, report, _, _) = try convert(to: .coreData)
    #expect(report.omissions == [])
    #expect(
      try store.lines("SELECT name FROM sqlite_schema WHERE sql LIKE '%UNIQUE INDEX%' ORDER BY 1")
        == ["Z_Person_UNIQUE_email", "Z_Person_UNIQUE_team_rank"])
    #expect(try StoreCheck.run(maker.path, model: modelPath).findings == [])
  }

  @Test("are not counted where another model was given, in which they may be alike")
  func otherModel() throws {
    // The store carries its own model.
    let path = try maker.folder.write([], to: "own.sqlite")
    try CoreDataStoreCreator(layout: CoreDataLayout(Self.model), source: ModelSource(Self.model))
      .create(at: path)
    let editor = try StoreEditor(path)
    try editor.run(
      "DROP INDEX Z_Person_UNIQUE_email; \(Self.rows) UPDATE ZPERSON SET ZEMAIL = 'x';")
    editor.close()
    #expect(try convert(path, to: .relational).report.omissions.map(\.count) == [4])

    var other = Self.model
    other.entities[0].uniquenessConstraints = []
    let otherPath = maker.folder.file(named: "Other.xcdatamodeld")
    try XMLModelWriter(other).write(to: otherPath)
    #expect(try convert(path, model: otherPath, to: .relational).report.omissions == [])
  }

  @Test("are noted when the store is checked")
  func checked() throws {
    try repeatValues()
    let result = try StoreCheck.run(maker.path, model: modelPath)
    let email = "another row has the same, though Person.email is unique in the model"
    let rank = "another row has the same, though Person.team, rank is unique in the model"
    #expect(
      result.findings.map(\.description) == [
        "ZPERSON row 1, ZEMAIL: \(email)", "ZPERSON row 2, ZEMAIL: \(email)",
        "ZPERSON row 3, ZEMAIL: \(email)", "ZPERSON row 1, ZTEAM, ZRANK: \(rank)",
        "ZPERSON row 2, ZTEAM, ZRANK: \(rank)",
      ])
    #expect(result.isSound)
  }

  @Test("are none where only entities that share a table have them", arguments: [false, true])
  func siblings(verifies: Bool) throws {
    func entity(_ name: String) -> Entity {
      Entity(
        name: name, parent: "Item", attributes: [Attribute(name: "code", type: .string)],
        uniquenessConstraints: [["code"]])
    }
    let model = Model(entities: [Entity(name: "Item"), entity("Book"), entity("Disc")])
    let maker = try StoreMaker(
      model,
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (1, 2, 1, 'x');
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZCODE1) VALUES (2, 3, 1, 'x');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2;
      """)
    let modelPath = maker.folder.file(named: "M.xcdatamodeld")
    try XMLModelWriter(model).write(to: modelPath)
    var options = ConversionOptions()
    (options.modelPath, options.layout, options.verifies) = (modelPath, .coreData, verifies)
    let path = maker.folder.file(named: "out.sqlite")
    var conversion = Conversion(inputs: [maker.path], destination: path, options: options)
    #expect(try conversion.run().omissions == [])
    let store = try StoreQuery(path)
    #expect(
      try store.lines("SELECT ZCODE, ZCODE1 FROM ZITEM ORDER BY Z_PK") == ["x|NULL", "NULL|x"])
    #expect(
      try store.lines("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%UNIQUE%'") == ["2"])
  }
}
