import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Properties of one name in entities that share a table")
struct CoreDataSiblingTests {
  private static func model(_ types: KeyValuePairs<String, String>) -> String {
    ModelXML.document(
      "<entity name=\"Item\" isAbstract=\"YES\"/>\n"
        + types.map { name, type in
          """
          <entity name="\(name)" parentEntity="Item">
            <attribute name="value" optional="YES" attributeType="\(type)"/></entity>
          """
        }.joined(separator: "\n"))
  }

  /// The model, with a row of each type: in which order the entities come, their names say.
  private static func write(
    _ types: KeyValuePairs<String, String>, to folder: TemporaryFolder
  ) throws -> (input: String, options: ConversionOptions) {
    let archive = try KeyedArchiveBuilder.archive { archive in
      archive.array(
        try types.map { name, type in
          let value =
            switch type {
            case "Date": archive.date(secondsSince2001: 86_400)
            case "Decimal": try archive.decimal("10.11")
            case "Double": PropertyListValue.real(0.5)
            case "Integer 16": PropertyListValue.integer(7)
            case "UUID": PropertyListValue.uid(0)
            default: archive.string("12")
            }
          return archive.instance(of: name, ["value": value])
        })
    }
    var options = ConversionOptions()
    options.modelPath = try folder.write(model(types), to: "contents")
    return (try folder.write(archive.binary(), to: "rows.archive"), options)
  }

  private static let orders: [KeyValuePairs<String, String>] = [
    ["A": "String", "B": "Date", "C": "Decimal", "D": "UUID"],
    ["A": "Date", "B": "String", "C": "Double", "D": "Integer 16"],
    ["A": "Decimal", "B": "Integer 16", "C": "Date", "D": "String"],
  ]

  @Test("Nothing is lost on the way into the column of another entity, and no value is another's")
  func losses() throws {
    for types in Self.orders {
      let folder = try TemporaryFolder()
      let (input, given) = try Self.write(types, to: folder)
      var options = given
      options.layout = .coreData
      let path = folder.file(named: "store.sqlite")
      var conversion = Conversion(inputs: [input], destination: path, options: options)
      let report = try conversion.run()
      #expect(report.losses.isEmpty, "\(types): \(report.losses)")
      let store = try StoreQuery(path)
      for (number, (name, type)) in types.enumerated() {
        let columns = ["ZVALUE", "ZVALUE1", "ZVALUE2", "ZVALUE3"]
        let expected =
          switch type {
          case "Date": "86400"
          case "Decimal": "10.11"
          case "Double": "0.5"
          case "Integer 16": "7"
          case "UUID": "NULL"
          default: "12"
          }
        let line = columns.indices.map { $0 == number ? expected : "NULL" }
        #expect(
          try store.lines(
            "SELECT \(columns.joined(separator: ", ")) FROM ZITEM WHERE Z_ENT = \(number + 2)")
            == [line.joined(separator: "|")], "\(types), \(name)")
      }
    }
  }

  @Test("Rows are those of the relational layout")
  func verified() throws {
    for types in Self.orders {
      let folder = try TemporaryFolder()
      let (input, options) = try Self.write(types, to: folder)
      try CoreDataVerification.expectPassed([input], options)
    }
  }
}
