import TestSupport
import Testing

extension StoreQuery {
  /// Expects a statement to return these rows: a line for each, with bars between the values.
  func expect(
    _ sql: String, _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try lines(sql)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  /// Expects a statement to return one value.
  func expect(
    _ sql: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try value(sql)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  /// Expects SQLite to find nothing wrong with the file and its foreign keys.
  func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let flaws = try flaws()
    #expect(flaws == [], sourceLocation: sourceLocation)
  }
}
