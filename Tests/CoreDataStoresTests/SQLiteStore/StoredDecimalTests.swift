import GraphCore
import Testing

@testable import CoreDataStores

@Suite("Decimals that an SQLite store keeps as doubles")
struct StoredDecimalTests {
  @Test(
    "are the shortest ones, as far as decimals reach",
    arguments: [
      (12.5, "12.5"), (-0.1, "-0.1"), (1e20, "100000000000000000000"), (0, "0"),
      (1e127, "1" + String(repeating: "0", count: 127)),
      (-1.5e130, "-15" + String(repeating: "0", count: 129)),
      (3.4e165, "34" + String(repeating: "0", count: 164)), (1e166, nil), (1e-129, nil),
      (.infinity, nil), (.nan, nil),
    ] as [(Double, String?)])
  func shortest(number: Double, text: String?) {
    #expect(SQLiteStoreGraph.ValueDecoder.decimal(number)?.text == text)
  }
}
