import MappingModelTesting
import TestSupport
import Testing

@Suite("convert migrate with policies in a mapping file")
struct DeclaredPolicyCommandTests {
  /// A folder whose mapping model names a policy for folders, and a mapping file.
  private static func folder(_ mapping: String) throws -> TemporaryFolder {
    let folder = try NotesFolder.make()
    try folder.write(
      MappingDocument.text(
        from: "Notes", nil, to: "Notes 2", nil, mapping: "Folder", policy: "App.FolderPolicy"),
      to: "Mappings/1to2.xcmappingmodel/xcmapping.xml")
    try folder.write(mapping, to: "map.yaml")
    return folder
  }

  private static func migrate(
    _ folder: TemporaryFolder, _ arguments: String...
  ) throws -> Program.Result {
    try Program.run(
      [
        "migrate", "old.sqlite", "--model", NotesFolder.version("Notes 2"), "--mapping-model",
        "Mappings", "--accept-model-drift", "--mapping", "map.yaml", "-o", "new.sqlite",
      ] + arguments, in: folder.path)
  }

  private static let block = """
    policies:
      FolderPolicy:
        attributes:
          title: {convert: {enum: {Home: House, else: keep}}}
    """

  @Test("needs no code, and is verified by the same block", arguments: ["coredata", "relational"])
  func migrated(layout: String) throws {
    let folder = try Self.folder(Self.block)
    let result = try Self.migrate(folder, "--verify", "--layout", layout)
    #expect(result.status == 0, "\(result)")
    let query =
      layout == "coredata"
      ? "SELECT ZTITLE FROM ZFOLDER ORDER BY Z_PK" : "SELECT title FROM Folder ORDER BY id"
    #expect(try StoreQuery(folder.file(named: "new.sqlite")).lines(query) == ["House", "Work"])
    let same = try folder.convert("verify", "new.sqlite", "old.sqlite")
    #expect(same.status == 0, "\(same)")
    try folder.write(Self.block.replacing("House", with: "Hut"), to: "map.yaml")
    let other = try folder.convert(
      "verify", "new.sqlite", "old.sqlite", "--mapping", "map.yaml")
    #expect(other.status != 0, "\(other)")
  }

  @Test("A block changes nothing else", arguments: ["coredata", "relational"])
  func sameTables(layout: String) throws {
    let folder = try Self.folder(Self.block)
    let blocks = try Self.migrate(folder, "--layout", layout)
    #expect(blocks.status == 0, "\(blocks)")
    let plain = try folder.convert(
      "migrate", "old.sqlite", "--model", NotesFolder.version("Notes 2"), "-o", "plain.sqlite",
      "--layout", layout)
    #expect(plain.status == 0, "\(plain)")
    let tables = "SELECT name || ' ' || sql FROM sqlite_master WHERE type = 'table' ORDER BY name"
    #expect(
      try StoreQuery(folder.file(named: "new.sqlite")).lines(tables)
        == StoreQuery(folder.file(named: "plain.sqlite")).lines(tables))
  }

  private static let mistakes: KeyValuePairs = [
    "policies: {FolderPolcy: {}}":
      "map.yaml:1:12: no mapping model of the migration names the policy 'FolderPolcy' (did you "
      + "mean 'FolderPolicy'?)",
    "policies: {FolderPolicy: {mapping: FolderToFoldr}}":
      "map.yaml:1:36: no entity mapping 'FolderToFoldr' names the policy 'FolderPolicy' (did you "
      + "mean 'FolderToFolder'?)",
    "policies: {FolderPolicy: {attributes: {titel: title}}}":
      "  map.yaml:1:40: unknown property 'Folder.titel' (did you mean 'title'?)",
    "policies: {FolderPolicy: {attributes: {title: {convert: number}}}}":
      "App.FolderPolicy, mapping 'FolderToFolder', Folder 1: 'title': the text is not a number",
    "policies: {FolderPolicy: {where: a}}":
      "map.yaml:1:27: unknown key 'where' in a policy, whose keys are mapping, attributes and relationships",
  ]

  @Test("Mistakes are reported, and nothing is written", arguments: Array(mistakes))
  func mistake(mistake: (key: String, value: String)) throws {
    let folder = try Self.folder(mistake.key)
    let result = try Self.migrate(folder)
    #expect(result.status == 2, "\(result)")
    #expect(result.errors.contains(mistake.value), "\(result)")
    #expect(try !folder.names().contains("new.sqlite"))
  }

  @Test("Only a migration has a use for blocks; a check accepts them")
  func otherCommands() throws {
    let folder = try Self.folder(Self.block)
    let run = try folder.convert("run", "old.sqlite", "--mapping", "map.yaml", "-o", "new.sqlite")
    #expect(run.status == 2)
    #expect(
      run.errors
        == "map.yaml:2:3: 'policies' is for migrations by mapping models: use archive-convert migrate\n"
    )
    let check = try folder.convert("check", "map.yaml")
    #expect(check.status == 0)
    #expect(check.output == "map.yaml: no mistakes found\n")
  }
}
