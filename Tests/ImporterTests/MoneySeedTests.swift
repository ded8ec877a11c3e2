import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@testable import migration_examples

/// The article on amounts: `QuickRecord.amount` was a text and becomes a decimal, in a hierarchy.
@Suite("Amounts that were texts become decimals")
struct MoneySeedTests {
  private static let uuid = UUID(
    uuid: (0x3F, 0x25, 4, 0xE0, 0x4F, 0x89, 0x41, 0xD3, 0x9A, 0xC, 3, 5, 0xE8, 0x2C, 0x33, 1))
  private static let mapping = """
    model: SAMPLES/MoneyMom.xcdatamodeld
    entities:
      QuickRecord:
        attributes:
          amount: {convert: number}
          createdAt: created_at
    """

  /// An archive with one record; no amount stands for nil.
  static func record(
    _ amount: String?, rawValue: Int64? = nil
  ) -> KeyedArchiveBuilder {
    .archive { archive in
      var values = [
        KeyValue("amount", amount.map { archive.string($0) } ?? .none),
        KeyValue("audioUUID", archive.uuid(uuid)), KeyValue("created_at", .none),
        KeyValue("id", archive.uuid(uuid)), KeyValue("tags", archive.set([])),
      ]
      if let rawValue {
        let type = archive.instance(of: "TransactionType", ["rawValue": .integer(rawValue)])
        values.append(KeyValue("type", type))
      }
      return archive.instance(of: "QuickRecord", values)
    }
  }

  static let rows = [
    "1|QuickRecord|12.3|…82C3365|2018-01-05T09:00:00.000Z|…82C3301|[\"food\",\"taxi\"]|0|NULL",
    "2|QuickRecord|-7|…82C3366|2018-01-05T10:30:00.250Z|…82C3302|[\"refund\"]|0|NULL",
    "3|QuickRecord|1000|…82C3367|NULL|…82C3303|[\"salary\"]|0|NULL",
    "4|QuickRecord|5|…82C3368|2018-01-06T11:03:04.500Z|…82C3304|[]|0|NULL",
    "5|QuickRecord|12|…82C3369|2018-01-07T11:00:00.000Z|…82C3305|[\"café\",\"早餐\"]|0|NULL",
  ]
  static let query = """
    SELECT id, _entity, amount, '…' || substr(audioUUID, 30), createdAt, '…' || substr(id_2, 30),
      tags, isProcessed, transaction_id FROM QuickRecord
    """

  @Test("by the sample mapping: in one table for the hierarchy, with a view for each entity")
  func mapping() throws {
    let run = try SeedRun(
      sample: "QuickRecord.archive", mapping: SeedRun.sampleMapping("QuickRecord.yaml"))
    let store = try run.convert()
    #expect(try store.lines(Self.query) == Self.rows)
    #expect(
      try store.lines("SELECT id, kind FROM QuickRecord") == [
        "1|EXPENSE", "2|INCOME", "3|INCOME", "4|EXPENSE", "5|EXPENSE",
      ])
    #expect(
      try store.tables() == ["table QuickRecordBase", "view QuickRecord", "view Transaction"])
    #expect(
      try store.store.columns("QuickRecordBase") == [
        "id INTEGER", "_entity TEXT", "amount TEXT", "audioUUID TEXT", "createdAt TEXT",
        "id_2 TEXT", "tags ANY", "isProcessed INTEGER", "kind TEXT", "transaction_id INTEGER",
        "location TEXT", "type ANY", "quickRecord_id INTEGER",
      ])
    #expect(try store.lines("SELECT count(*) FROM \"Transaction\"") == ["0"])
    #expect(
      store.losses == [
        "QuickRecord.amount: 1e3 → 1000: loose text", "QuickRecord.amount:  5  → 5: loose text",
        "QuickRecord.amount: 12. → 12: loose text",
      ])
  }

  @Test("by the article's policy: the same rows")
  func policy() throws {
    let run = try SeedRun(
      sample: "QuickRecord.xml",
      mapping: """
        model: SAMPLES/MoneyMom.xcdatamodeld
        classes: {TransactionType: {value: rawValue}}
        entities:
          QuickRecord:
            policy: StringAmountToDecimalAmountPolicy
            unread: [type]
        """, policies: ["StringAmountToDecimalAmountPolicy": StringAmountToDecimalAmountPolicy.self]
    )
    #expect(try run.convert().lines(Self.query) == Self.rows)
  }

  @Test("in a model that repeats the attributes instead of inheriting them")
  func repeatedAttributes() throws {
    var run = try SeedRun(sample: "QuickRecord.archive")
    let attributes = """
      <attribute name="amount" attributeType="Decimal"/>
      <attribute name="audioUUID" attributeType="UUID"/>
      <attribute name="createdAt" optional="YES" attributeType="Date"
        elementID="created_at" renamingIdentifier="created_at"/>
      <attribute name="id" attributeType="UUID"/>
      <attribute name="tags" attributeType="Transformable"/>
      """
    run.options.modelPath = try run.folder.write(
      ModelXML.document(
        """
        <entity name="QuickRecord">\(attributes)
        <attribute name="isProcessed" attributeType="Boolean" defaultValueString="NO"/>
        <relationship name="transaction" optional="YES" maxCount="1"
          destinationEntity="Transaction" inverseName="quickRecord"/>
        </entity>
        <entity name="Transaction">\(attributes)
        <attribute name="location" optional="YES" attributeType="String"/>
        <relationship name="quickRecord" optional="YES" maxCount="1"
          destinationEntity="QuickRecord" inverseName="transaction"/>
        </entity>
        """), to: "Model.xcdatamodel/contents"
    ).replacing("/contents", with: "")
    try run.use("entities: {QuickRecord: {attributes: {amount: {convert: number}}}}")
    let store = try run.convert()
    let query = Self.query.replacing("_entity", with: "'QuickRecord'")
    #expect(try store.lines(query) == Self.rows)
    #expect(try store.tables() == ["table QuickRecord", "table Transaction"])
    #expect(try store.lines("SELECT count(*) FROM \"Transaction\"") == ["0"])
  }

  @Test("and without a model, sets of tags are a table of their own")
  func withoutModel() throws {
    let store = try SeedRun(
      sample: "QuickRecord.archive",
      mapping: "entities: {QuickRecord: {attributes: {amount: {convert: number}}}}"
    ).convert()
    #expect(
      try store.tables() == [
        "table QuickRecord", "table TransactionType", "table QuickRecord_tags",
      ])
    #expect(
      try store.lines("SELECT * FROM QuickRecord_tags") == [
        "1|1|food", "2|1|taxi", "3|2|refund", "4|3|salary", "5|5|café", "6|5|早餐",
      ])
    #expect(
      try store.lines("SELECT amount FROM QuickRecord") == ["12.3", "-7", "1000", "5", "12"])
  }

  @Test(
    "and texts that are no number, or only begin with one, are errors",
    arguments: [
      ("1,234.5", "the text has a grouping separator or characters that are not part of a number"),
      ("5元", "the text has a grouping separator or characters that are not part of a number"),
      ("abc", "the text is not a number"), ("", "the text is not a number"),
      (nil, "is empty, but must not be"),
    ])
  func badAmounts(text: String?, reason: String) throws {
    var run = try SeedRun(Self.record("1"), Self.record(text), mapping: Self.mapping)
    let key = text == nil ? "" : ", key amount"
    let uid = text.map { _ in 7 } ?? 6
    let messages = try run.messages()
    let message = "object \(uid) (QuickRecord)\(key): QuickRecord.amount: \(reason)"
    #expect(messages == ["a1.plist: \(message)"])
    run.options.errorPolicy = .skip
    let store = try run.convert()
    #expect(try store.lines("SELECT id, amount FROM QuickRecord") == ["1|1"])
    #expect(store.report.archives.map(\.error) == [nil, message])
  }

  @Test("but a separator that the mapping names is no error")
  func groupingSeparator() throws {
    let mapping = Self.mapping.replacing(
      "convert: number", with: "convert: {number: {groupingSeparator: \",\"}}")
    let store = try SeedRun(Self.record("1,234.5"), mapping: mapping).convert()
    #expect(try store.lines("SELECT amount FROM QuickRecord") == ["1234.5"])
  }

  @Test("and without a conversion, the attribute is named that cannot be inferred")
  func noConversion() throws {
    var run = try SeedRun(Self.record("1"), mapping: "model: SAMPLES/MoneyMom.xcdatamodeld")
    let inferred = try run.messages()
    #expect(
      inferred == [
        "mapping.yaml: no conversion from string to decimal can be inferred for "
          + "'QuickRecord.amount': specify one"
      ])
    try run.use(Self.mapping.replacing("{convert: number}", with: "{from: amount}"))
    let written = try run.messages()
    #expect(
      written == [
        "mapping.yaml:5:7: no conversion from string to decimal can be inferred for "
          + "'QuickRecord.amount': specify one"
      ])
  }

  @Test("and the raw values of objects that pose as an enumeration become words")
  func enumeration() throws {
    let archives = [0, 1, 7].map { Self.record("1", rawValue: $0) }
    let mapping = try SeedRun.sampleMapping("QuickRecord.yaml")
    let run = try SeedRun(archives[0], archives[1], archives[2], mapping: mapping)
    let messages = try run.messages()
    #expect(
      messages == [
        "a2.plist: object 9 (QuickRecord), key type: QuickRecord.kind: no case for the value"
      ])
    let store = try SeedRun(
      archives[0], archives[1], archives[2],
      mapping: mapping.replacing("1: EXPENSE", with: "1: EXPENSE, else: \"null\"")
    ).convert()
    #expect(try store.lines("SELECT kind FROM QuickRecord") == ["INCOME", "EXPENSE", "NULL"])
    #expect(store.losses == ["QuickRecord.type: 7 → nil: no case, replaced by nil"])
  }
}
