import ArchiveReader
import DataModel
import Foundation
import Importer
import Stores
import Support

/// The expected value of a cell of a store.
enum ExpectedValue {
  case nothing
  case integer(Int64)
  case text(String)
  /// A plain value, as it stands in the archive.
  case archived(GraphValue)
  /// A value that a mapping made of what stands there.
  case value(ImportValue)
  /// A value that cannot be known from the archives.
  case unknown

  /// True if nothing is to be there.
  var isNothing: Bool {
    switch self {
    case .nothing: true
    case .archived(.null), .archived(.nsNull), .value(.null), .value(.row): true
    default: false
    }
  }

  /// True if it is not known what is to be there.
  var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

extension StoredValue {
  /// A plain archived value as the relational layout keeps it.
  init(_ value: GraphValue, _ graph: any ObjectGraph) {
    switch value {
    case .null, .nsNull, .object, .collection: self = .null
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .integer(let value): self = .integer(value)
    case .wideInteger(let wide): self = .text(String(wide.value))
    case .real(let value): self = value.isNaN ? .text("NaN") : .real(value)
    case .date(let seconds): self = .text(DateText.text(secondsSince2001: seconds))
    case .text(let text): self = .text(text.string)
    case .data(let bytes): self = .blob(bytes.data)
    case .uuid(let bytes): self = .text(UUIDText.text(bytes))
    case .decimal(let decimal): self = .text(decimal.text)
    case .url(let text): self = .text(text.string)
    case .relativeURL(let uid): self = graph.urlText(uid).map { .text($0) } ?? .null
    case .foundation(let uid, _):
      self = (try? graph.foundationValue(uid)).flatMap { $0 }.map { .text($0.json) } ?? .null
    case .className(let id): self = .text(ArchivedName.plain(graph.classes[id.index].name))
    }
  }

  init(_ value: ExpectedValue, _ graph: any ObjectGraph) {
    switch value {
    case .nothing, .unknown: self = .null
    case .integer(let value): self = .integer(value)
    case .text(let text): self = .text(text)
    case .archived(let value): self.init(value, graph)
    case .value(let value): self.init(value)
    }
  }

  /// The value in words for a difference, shortened.
  var words: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): "'" + Self.shortened(text) + "'"
    case .blob(let data):
      "x'" + data.prefix(24).hexadecimal
        + (data.count > 24 ? "…' (\(data.count) bytes)" : "'")
    }
  }

  private static func shortened(_ text: String) -> String {
    guard text.unicodeScalars.count > 64 else { return text }
    var short = String.UnicodeScalarView()
    short.append(contentsOf: text.unicodeScalars.prefix(64))
    return String(short) + "…"
  }

  /// A text that is the same for the same values, and for no others.
  var key: String {
    switch self {
    case .null: "n"
    case .integer(let value): "i\(value)"
    case .real(let value): "r\(value.bitPattern)"
    case .text(let text): "t\(text.utf8.count):\(text)"
    case .blob(let data): "b\(data.base64EncodedString())"
    }
  }
}
