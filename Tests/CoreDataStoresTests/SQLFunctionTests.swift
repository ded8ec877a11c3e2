import Foundation
import Stores
import Support
import TestSupport
import Testing

@Suite("A function that statements call")
struct SQLFunctionTests {
  private let folder: TemporaryFolder
  private let database: Database

  init() throws {
    folder = try TemporaryFolder()
    try folder.write([], to: "store.db")
    database = try Database(path: folder.file(named: "store.db"))
  }

  /// Literals in SQL, and the values that they are.
  static let values: [(sql: String, value: StoredValue)] = [
    ("NULL", .null), ("-9223372036854775808", .integer(.min)), ("1.5", .real(1.5)),
    ("'Zoë'", .text("Zoë")), ("''", .text("")), ("x'0001FF'", .blob(Data([0, 1, 255]))),
    ("x''", .blob(Data())), ("zeroblob(3)", .blob(Data([0, 0, 0]))),
  ]

  @Test("is given each argument, and its value is what it returns", arguments: values)
  func passing(sql: String, value: StoredValue) throws {
    try database.addFunction("f", argumentCount: 2) { call in
      #expect(call.integer(0) == 7)
      return call[1]
    }
    #expect(try database.rows("SELECT f(7, \(sql))") == [[value]])
  }

  @Test("takes the place of one with the same name")
  func replacing() throws {
    for number in 1...2 {
      try database.addFunction("f", argumentCount: 0) { _ in .integer(Int64(number)) }
      #expect(try database.rows("SELECT f()") == [[.integer(Int64(number))]])
    }
  }

  @Test("is not called by what a database says of itself, but by views of the connection")
  func schemas() throws {
    try database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1);")
    try database.addFunction("f", argumentCount: 1) { $0[0] }
    try database.execute("CREATE VIEW v AS SELECT f(a) FROM t;")
    #expect(throws: StoreError.self) { try database.rows("SELECT * FROM v") }
    try database.execute("CREATE TEMP VIEW w AS SELECT f(a) FROM t;")
    #expect(try database.rows("SELECT * FROM w") == [[.integer(1)]])
  }
}
