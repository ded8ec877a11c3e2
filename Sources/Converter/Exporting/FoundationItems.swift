import ArchiveReader
import ArchiveWriter
import Foundation
import GraphCore

/// The objects of Foundation's classes that a store has as JSON (Documentation/values.md).
///
/// An object is given only if it is read as the same JSON again.
final class FoundationItems {
  typealias Item = StoreRows.Item
  typealias InstanceForm = StoreRows.InstanceForm

  /// An obstacle to the export of a value, in words.
  enum Obstacle: Error {
    case noValue
    case noObject
    /// A text that an archive cannot have.
    case text(String)

    var words: String {
      switch self {
      case .noValue: "the text is no JSON of a value of Foundation's classes"
      case .noObject: "no object is known for the JSON"
      case .text(let words): words
      }
    }
  }

  /// The objects of texts that occurred, up to a number of them.
  private var known: [String: Item] = [:]
  private static let maxKnown = 4_096
  private var maker = ItemMaker()

  /// The object of a value.
  ///
  /// - Parameter text: Its JSON.
  /// - Returns: The object.
  /// - Throws: `Obstacle` if there is none, or it would be read as another value.
  func value(_ text: String) throws(Obstacle) -> Item {
    if let item = known[text] { return item }
    guard case .record(let fields)? = JSONTree(text) else { throw .noValue }
    let item = try object(fields) { $0.json.utf8.elementsEqual(text.utf8) }
    if known.count < Self.maxKnown { known[text] = item }
    return item
  }

  /// The object of a text with attributes, from what is told beside the text.
  func attributedText(_ text: String?, runs: String) throws(Obstacle) -> Item {
    guard case .record(var fields)? = JSONTree(runs), fields["text"] == nil else {
      throw .noValue
    }
    if let text {
      if let words = Self.obstacle(to: text) { throw .text(words) }
      fields["text"] = .text(text)
    }
    return try object(fields) { value in
      let read = value.as(ArchivedAttributedString.self)
      return read?.text == text && read?.runsJSON.utf8.elementsEqual(runs.utf8) == true
    }
  }

  /// An obstacle to a text in an archive, in words.
  ///
  /// An archive has one of them for nil, and SQLite gives a sign for what is not UTF-8.
  static func obstacle(to text: String) -> String? {
    if text == "$null" { return "an archive has no text '$null'" }
    return !text.isASCII && text.unicodeScalars.contains("\u{FFFD}")
      ? "texts are not in UTF-8, or have a replacement character" : nil
  }

  /// The object of a decimal number.
  static func decimal(_ pairs: [KeyValue]) -> Item {
    .instance(decimalForm, pairs.map { .plain($0.value) })
  }

  private static let decimalForm = InstanceForm(
    "NSDecimalNumberPlaceholder",
    ((try? KeyedArchiveBuilder.decimalPairs("0")) ?? []).map(\.key))

  private func object(
    _ fields: [String: JSONTree], _ isWritten: (FoundationValue) -> Bool
  ) throws(Obstacle) -> Item {
    guard case .text(let name)? = fields["class"], KnownClass.isFoundationValue(name) else {
      throw .noValue
    }
    // JSON that was edited may be written otherwise.
    guard let item = maker.item(.record(fields)), let read = try? Self.read(item),
      isWritten(read) || JSONTree(read.json) == .record(fields)
    else { throw .noObject }
    return item
  }

  /// The value that an object is read as.
  private static func read(_ item: Item) throws -> FoundationValue? {
    var copy = ArchiveCopy(try KeyedArchive(bytes: KeyedArchiveBuilder().binary()))
    var maker = RowArchive.Maker(nil)
    copy.newTopLevel = [(.leaf("root"), maker.part(item))]
    for object in maker.takeObjects() { _ = copy.add(object) }
    var bytes: [UInt8] = []
    _ = try copy.write(as: .binary) { bytes += $0 }
    let graph = try KeyedArchive(bytes: Data(bytes)).makeGraph(GraphOptions())
    return try graph.foundationValue(1)
  }
}
