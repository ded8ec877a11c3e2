import Converter
import Foundation
import TestSupport
import Testing

@Suite("The tables of a Core Data store")
struct CoreDataLayoutTests {
  /// The statements that make the tables and indexes of a model, without the three that all have.
  private func statements(_ entities: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "store.sqlite")
    let model = try ModelXML.model(ModelXML.document(entities))
    try EmptyStore(ModelSource(model), layout: .coreData).write(to: path)
    let lines = try StoreQuery(path).schema().split(separator: "\n").map(String.init)
    #expect(
      lines.suffix(3) == [
        "CREATE TABLE Z_PRIMARYKEY "
          + "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA "
          + "(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      ])
    return lines.dropLast(3)
  }

  @Test("Columns stand in groups by type, and in each by name; what is not stored has none")
  func types() throws {
    let types = [
      ("b", "Binary"), ("a", "Transformable"), ("d", "UUID"), ("c", "URI"), ("f", "String"),
      ("e", "Decimal"), ("h", "Float"), ("g", "Double"), ("j", "Date"), ("i", "Boolean"),
      ("l", "Integer 64"), ("k", "Integer 32"), ("n", "Integer 16"), ("m", "String"),
    ]
    let attributes = types.map { "<attribute name='\($0)' attributeType='\($1)'/>" }.joined()
    #expect(
      try statements(
        """
        <entity name="Thing">\(attributes)
        <attribute name="o" attributeType="String" transient="YES"/></entity>
        """) == [
          "CREATE TABLE ZTHING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
            + "ZI INTEGER, ZK INTEGER, ZL INTEGER, ZN INTEGER, ZG FLOAT, ZH FLOAT, ZJ TIMESTAMP, "
            + "ZE DECIMAL, ZF VARCHAR, ZM VARCHAR, ZC VARCHAR, ZD BLOB, ZA BLOB, ZB BLOB )"
        ])
  }

  @Test("Subentities share the table of their root; equal names of siblings get numbers")
  func inheritance() throws {
    #expect(
      try statements(
        """
        <entity name="Item" isAbstract="YES"><attribute name="name" attributeType="String"/>
          <relationship name="next" maxCount="1" destinationEntity="Note"/></entity>
        <entity name="Note" parentEntity="Item"><attribute name="title" attributeType="String"/>
          <attribute name="count" attributeType="Integer 16"/>
          <relationship name="owner" maxCount="1" destinationEntity="Item"/></entity>
        <entity name="folder" parentEntity="Item"><attribute name="title" attributeType="String"/>
          <relationship name="owner" maxCount="1" destinationEntity="Item"/>
          <fetchIndex name="byTitle">
            <fetchIndexElement property="title" type="Binary" order="descending"/>
            <fetchIndexElement property="name" type="Binary" order="ascending"/></fetchIndex>
          <uniquenessConstraints><uniquenessConstraint><constraint value="title"/>
            <constraint value="owner"/></uniquenessConstraint></uniquenessConstraints></entity>
        """) == [
          "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
            + "ZNEXT INTEGER, ZOWNER INTEGER, Z1_OWNER INTEGER, ZCOUNT INTEGER, ZOWNER1 INTEGER, "
            + "Z1_OWNER1 INTEGER, ZNAME VARCHAR, ZTITLE VARCHAR, ZTITLE1 VARCHAR )",
          "CREATE INDEX ZITEM_ZNEXT_INDEX ON ZITEM (ZNEXT)",
          "CREATE INDEX ZITEM_ZOWNER_INDEX ON ZITEM (ZOWNER)",
          "CREATE INDEX ZITEM_ZOWNER1_INDEX ON ZITEM (ZOWNER1)",
          "CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT)",
          "CREATE INDEX Z_folder_byTitle ON ZITEM "
            + "(ZTITLE COLLATE BINARY DESC, ZNAME COLLATE BINARY ASC)",
          "CREATE UNIQUE INDEX Z_folder_UNIQUE_title_owner ON ZITEM "
            + "(ZTITLE COLLATE BINARY ASC, ZOWNER COLLATE BINARY ASC)",
        ])
  }

  @Test("The ordered side of a relationship gives its members a column for their place")
  func order() throws {
    #expect(
      try statements(
        """
        <entity name="Page">
          <relationship name="book" maxCount="1" destinationEntity="Book" inverseName="pages"/>
          <relationship name="shelf" maxCount="1" destinationEntity="Book" inverseName="sheets"/>
          <relationship name="list" maxCount="1" destinationEntity="Book" inverseName="loose"/>
        </entity>
        <entity name="Book">
          <relationship name="pages" toMany="YES" ordered="YES" destinationEntity="Page" \
        inverseName="book"/>
          <relationship name="sheets" toMany="YES" ordered="YES" destinationEntity="Page" \
        inverseName="shelf"/>
          <relationship name="loose" toMany="YES" destinationEntity="Page" inverseName="list"/>
        </entity>
        """) == [
          "CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
          "CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
            + "ZBOOK INTEGER, ZLIST INTEGER, ZSHELF INTEGER, Z_FOK_SHELF INTEGER, "
            + "Z_FOK_BOOK INTEGER )",
          "CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK)",
          "CREATE INDEX ZPAGE_ZLIST_INDEX ON ZPAGE (ZLIST)",
          "CREATE INDEX ZPAGE_ZSHELF_INDEX ON ZPAGE (ZSHELF)",
        ])
  }

  @Test("A to-many relationship without an inverse has a column with its destination")
  func withoutInverse() throws {
    #expect(
      try statements(
        """
        <entity name="Album"><relationship name="documents" toMany="YES" \
        destinationEntity="Document"/></entity>
        <entity name="Document"><attribute name="x" attributeType="String"/></entity>
        """) == [
          "CREATE TABLE ZALBUM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
          "CREATE TABLE ZDOCUMENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
            + "Z1DOCUMENTS INTEGER, ZX VARCHAR )",
          "CREATE INDEX ZDOCUMENT_Z1DOCUMENTS_INDEX ON ZDOCUMENT (Z1DOCUMENTS)",
        ])
  }

  @Test("Two to-many sides have a join table, named after the one with the lower number")
  func manyToMany() throws {
    #expect(
      try statements(
        """
        <entity name="Author"/>
        <entity name="Collection"><relationship name="artworks" toMany="YES" ordered="YES" \
        destinationEntity="Artwork" inverseName="collections"/>
          <relationship name="favorites" toMany="YES" destinationEntity="Artwork" \
        inverseName="likers"/></entity>
        <entity name="Artwork"><relationship name="collections" toMany="YES" \
        destinationEntity="Collection" inverseName="artworks"/>
          <relationship name="likers" toMany="YES" destinationEntity="Collection" \
        inverseName="favorites"/></entity>
        """) == [
          "CREATE TABLE ZARTWORK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
          "CREATE TABLE Z_1COLLECTIONS ( Z_1ARTWORKS INTEGER, Z_3COLLECTIONS INTEGER, "
            + "Z_FOK_1ARTWORKS INTEGER, PRIMARY KEY (Z_1ARTWORKS, Z_3COLLECTIONS) )",
          "CREATE TABLE Z_1LIKERS ( Z_1FAVORITES INTEGER, Z_3LIKERS INTEGER, "
            + "PRIMARY KEY (Z_1FAVORITES, Z_3LIKERS) )",
          "CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
          "CREATE TABLE ZCOLLECTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
          "CREATE INDEX Z_1COLLECTIONS_Z_3COLLECTIONS_INDEX ON Z_1COLLECTIONS "
            + "(Z_3COLLECTIONS, Z_1ARTWORKS)",
          "CREATE INDEX Z_1LIKERS_Z_3LIKERS_INDEX ON Z_1LIKERS (Z_3LIKERS, Z_1FAVORITES)",
        ])
  }

  @Test("Columns of join tables for inverses of one name are told apart")
  func manyToManyWithOneInverseName() throws {
    let statements = try statements(
      """
      <entity name="User">
        <relationship name="reactions" toMany="YES" destinationEntity="Reaction" \
      inverseName="users"/>
        <relationship name="systemMessages" toMany="YES" destinationEntity="Message" \
      inverseName="users"/></entity>
      <entity name="Message"><relationship name="users" toMany="YES" destinationEntity="User" \
      inverseName="systemMessages"/></entity>
      <entity name="Reaction"><relationship name="users" toMany="YES" destinationEntity="User" \
      inverseName="reactions"/></entity>
      """)
    #expect(
      statements.filter { $0.hasPrefix("CREATE TABLE Z_") } == [
        "CREATE TABLE Z_1USERS ( Z_1SYSTEMMESSAGES INTEGER, Z_3USERS1 INTEGER, "
          + "PRIMARY KEY (Z_1SYSTEMMESSAGES, Z_3USERS1) )",
        "CREATE TABLE Z_2USERS ( Z_2REACTIONS INTEGER, Z_3USERS INTEGER, "
          + "PRIMARY KEY (Z_2REACTIONS, Z_3USERS) )",
      ])
  }

  @Test("Where both sides are of one entity, both tables that Core Data could look for are made")
  func selfReference() throws {
    #expect(
      try statements(
        """
        <entity name="Client"><relationship name="trusted" toMany="YES" ordered="YES" \
        destinationEntity="Client" inverseName="trustedBy"/>
        <relationship name="trustedBy" toMany="YES" destinationEntity="Client" \
        inverseName="trusted"/></entity>
        """) == [
          "CREATE TABLE ZCLIENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
          "CREATE TABLE Z_1TRUSTEDBY ( Z_1TRUSTED INTEGER, Z_1TRUSTEDBY INTEGER, "
            + "Z_FOK_1TRUSTED INTEGER, PRIMARY KEY (Z_1TRUSTED, Z_1TRUSTEDBY) )",
          "CREATE TABLE Z_1TRUSTED ( Z_1TRUSTEDBY INTEGER, Z_1TRUSTED INTEGER, "
            + "Z_FOK_1TRUSTED INTEGER, PRIMARY KEY (Z_1TRUSTEDBY, Z_1TRUSTED) )",
          "CREATE INDEX Z_1TRUSTEDBY_Z_1TRUSTEDBY_INDEX ON Z_1TRUSTEDBY "
            + "(Z_1TRUSTEDBY, Z_1TRUSTED)",
          "CREATE INDEX Z_1TRUSTED_Z_1TRUSTED_INDEX ON Z_1TRUSTED (Z_1TRUSTED, Z_1TRUSTEDBY)",
        ])
  }

  @Test(
    "What has no known place is refused, with its name",
    arguments: [
      (
        "<entity name='A'><attribute name='x' attributeType='Composite'/></entity>",
        "A.x: cannot be kept in a Core Data store: the stored form of composite attributes is "
          + "unknown"
      ),
      (
        "<entity name='A'><attribute name='_pk' attributeType='String'/></entity>",
        "A._pk: cannot be kept in a Core Data store: its column Z_PK is used by another"
      ),
      (
        "<entity name='A'><attribute name='_ENT' attributeType='Integer 16'/></entity>",
        "A._ENT: cannot be kept in a Core Data store: its column Z_ENT is used by another"
      ),
      (
        "<entity name='A'><attribute name='_FOK_b' attributeType='String'/>"
          + "<relationship name='b' maxCount='1' destinationEntity='B' inverseName='a'/></entity>"
          + "<entity name='B'><relationship name='a' toMany='YES' ordered='YES' "
          + "destinationEntity='A' inverseName='b'/></entity>",
        "A._FOK_b: cannot be kept in a Core Data store: its column Z_FOK_B is used by another"
      ),
      (
        "<entity name='A'><attribute name='x'/></entity>",
        "A.x: cannot be kept in a Core Data store: an attribute of this type cannot be stored"
      ),
      (
        "<entity name='A'><relationship name='x' toMany='YES' ordered='YES' "
          + "destinationEntity='A'/></entity>",
        "A.x: cannot be kept in a Core Data store: the stored form of an ordered relationship "
          + "without an inverse is unknown"
      ),
      (
        "<entity name='A'><relationship name='x' toMany='YES' destinationEntity='A' "
          + "inverseName='x'/></entity>",
        "A.x: cannot be kept in a Core Data store: the stored form of a many-to-many relationship "
          + "that is its own inverse is unknown"
      ),
      (
        "<entity name='Note'/><entity name='NOTE'/>",
        "Note: cannot be kept in a Core Data store: its table ZNOTE is used by another"
      ),
      (
        "<entity name='_primaryKey'/>",
        "_primaryKey: cannot be kept in a Core Data store: its table Z_PRIMARYKEY is used by "
          + "another"
      ),
    ])
  func gaps(_ entities: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    let model = try ModelXML.model(ModelXML.document(entities))
    let error = #expect(throws: ModelError.self) {
      try EmptyStore(ModelSource(model), layout: .coreData).write(to: folder.file(named: "s"))
    }
    #expect(error?.description == words)
    #expect(try folder.names() == [])
  }

  @Test("A table with more columns than SQLite allows is refused", arguments: [1_997, 1_998])
  func wideTable(count: Int) throws {
    let folder = try TemporaryFolder()
    let model = Model(entities: [
      Entity(
        name: "A", attributes: (0..<count).map { Attribute(name: "a\($0)", type: .integer) }),
      Entity(name: "B", parent: "A"),
    ])
    let store = EmptyStore(ModelSource(model), layout: .coreData)
    guard count > 1_997 else {
      try store.write(to: folder.file(named: "s"))
      return
    }
    let error = #expect(throws: ModelError.self) { try store.write(to: folder.file(named: "s")) }
    #expect(
      error?.description
        == "A: cannot be kept in a Core Data store: its table would have 2001 columns, and SQLite "
        + "allows 2000")
    #expect(try folder.names() == [])
  }

  @Test("Indexes of unknown form are left out and told; all else of the model is there")
  func omittedIndexes() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(named: "store.sqlite")
    let model = try ModelXML.model(
      ModelXML.document(
        """
        <entity name="A"><attribute name="x" attributeType="Double"/>
        <attribute name="t" attributeType="String" transient="YES"/>
        <relationship name="r" maxCount="1" destinationEntity="A"/>
        <fetchIndex name="some" partialIndexPredicate="x &gt; 1">
          <fetchIndexElement property="x" type="Binary" order="ascending"/></fetchIndex>
        <fetchIndex name="range">
          <fetchIndexElement property="x" type="RTree" order="ascending"/></fetchIndex>
        <fetchIndex name="withoutColumn">
          <fetchIndexElement property="t" type="Binary" order="descending"/></fetchIndex>
        <fetchIndex name="relationshipAlone">
          <fetchIndexElement property="r" type="Binary" order="ascending"/></fetchIndex></entity>
        """))
    let notes = try EmptyStore(ModelSource(model), layout: .coreData).write(to: path)
    #expect(notes.omittedIndexes == ["A.some", "A.range"])
    let indexes = try StoreQuery(path).lines("SELECT name FROM sqlite_schema WHERE type = 'index'")
    #expect(indexes == ["ZA_ZR_INDEX"])
  }
}
