import ArchiveWriter
import Foundation
import Testing

@Suite("The XML writer")
struct XMLPropertyListWriterTests {
  @Test("lays a list out as Apple does")
  func pinsADocument() throws {
    let list: PropertyListValue = [
      "b<": [.uid(3), .data(Data("caffè".utf8)), .date(0.75)], "a": [:], "n": .real(.nan),
    ]
    let text = String(decoding: try XMLPropertyListWriter().data(for: list), as: UTF8.self)
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>b&lt;</key>
        \t<array>
        \t\t<dict>
        \t\t\t<key>CF$UID</key>
        \t\t\t<integer>3</integer>
        \t\t</dict>
        \t\t<data>
        \t\tY2FmZsOo
        \t\t</data>
        \t\t<date>2001-01-01T00:00:00Z</date>
        \t</array>
        \t<key>a</key>
        \t<dict/>
        \t<key>n</key>
        \t<real>nan</real>
        </dict>
        </plist>

        """)
  }

  @Test(
    "writes special numbers in Apple's words",
    arguments: [
      (.real(.infinity), "+infinity"), (.real(-.infinity), "-infinity"), (0.0, "0.0"),
      (0.1, "0.10000000000000001"), (12.0, "12"), (1e21, "1e+21"),
    ] as [(PropertyListValue, String)])
  func writesReals(value: PropertyListValue, expected: String) throws {
    let text = String(decoding: try XMLPropertyListWriter().data(for: value), as: UTF8.self)
    #expect(text.contains("<real>\(expected)</real>"))
  }

  @Test(
    "writes dates in the Gregorian calendar, before 1582 too",
    arguments: [
      (-63_113_904_000, "0001-01-01T00:00:00Z"), (-1.5e10, "1525-09-02T21:20:00Z"),
      (-13_197_600_000.5, "1582-10-14T23:59:59Z"), (-0.5, "2000-12-31T23:59:59Z"),
      (252_423_993_599, "9999-12-31T23:59:59Z"),
    ])
  func writesDates(seconds: Double, expected: String) throws {
    let text = String(
      decoding: try XMLPropertyListWriter().data(for: .date(seconds)), as: UTF8.self)
    #expect(text.contains("<date>\(expected)</date>"))
  }

  @Test(
    "refuses what XML cannot express",
    arguments: [
      .null, .set([1]), [["x": .null]], .date(.nan), .date(.infinity), .date(1e18),
      .date(-63_113_904_001),
    ] as [PropertyListValue])
  func refuses(value: PropertyListValue) {
    #expect(throws: PropertyListWritingError.self) {
      try XMLPropertyListWriter().data(for: value)
    }
  }

  @Test("breaks data into lines of 76 columns")
  func breaksData() throws {
    let bytes = try XMLPropertyListWriter().data(for: .data(Data(repeating: 0, count: 100)))
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("AAAA") }.map(\.count) == [76, 60])
  }
}
