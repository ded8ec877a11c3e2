import ArchiveReader
import DataModel
import Foundation
import GraphCore
import Mappings

/// A keyed archive of a mapping model, or of a part of one: expressions and what authors left for
/// policies.
struct MappingArchive {
  /// The greatest number of values of user info that are read, and of levels that they are nested
  /// in.
  private enum Limit {
    static let values = 100_000
    static let levels = 32
  }

  var archive: ModelArchive
  private var valueCount = 0

  /// Opens the archive in the bytes of a file, or in a value of one.
  init(_ bytes: Data, _ limits: ReadingLimits) throws(ModelError) {
    let archive = try ModelArchive.reading { () throws(ArchiveError) in
      try KeyedArchive(bytes: bytes, limits: limits)
    }
    self.archive = ModelArchive(archive, limits, readsFoundationValues: true)
  }

  /// The value under the key `root` of `$top`; nil if there is none.
  func root() throws(ModelError) -> GraphValue {
    let graph = archive.graph
    guard let root = graph.source.roots.first(where: { $0.key == "root" }) else { return .null }
    return try ModelArchive.reading { () throws(ArchiveError) in try graph.value(of: root) }
  }

  /// Reads an expression.
  ///
  /// - Parameters:
  ///   - value: The value that it is.
  ///   - key: The key that it stands under, for errors.
  /// - Returns: The expression; nil where the value is nil.
  /// - Throws: `ModelError` if the archive is damaged, or the value is no object.
  func expression(
    _ value: GraphValue, _ key: String
  ) throws(ModelError) -> ExpressionNode? {
    let graph = archive.graph
    switch value {
    case .null: return nil
    case .foundation(let uid, let id):
      let read = try ModelArchive.reading { () throws(ArchiveError) in
        try graph.foundationValue(uid)
      }
      let className = graph.classes[id.index].name
      guard let read else { return .unknown(UnknownExpression(.misshapen, className)) }
      guard let expression = read.as(ArchivedExpression.self) else {
        return .unknown(UnknownExpression(.unknownClass, className))
      }
      return ArchivedExpressionReader.node(expression)
    case .object(_, let id):
      let className = graph.classes[id.index].name
      let isKnown = ArchivedExpression.classNames.contains(className)
      return .unknown(UnknownExpression(isKnown ? .misshapen : .unknownClass, className))
    default: throw ModelError(.badValue, name: key)
    }
  }

  /// Reads what an author left for policies: a dictionary whose keys are texts.
  ///
  /// - Parameters:
  ///   - value: The value that it is.
  ///   - key: The key that it stands under, for errors.
  /// - Returns: The values; none where the value is nil.
  /// - Throws: `ModelError` if the value is something else, or too large.
  mutating func userInfo(
    _ value: GraphValue, _ key: String
  ) throws(ModelError) -> [String: UnarchivedValue] {
    if case .null = value { return [:] }
    guard case .collection(_, .dictionary) = value else { throw ModelError(.badValue, name: key) }
    guard let values = try plain(value, levels: Limit.levels).valuesByKey else {
      throw ModelError(.badValue, name: key)
    }
    return values
  }

  /// A value copied out of the archive.
  private mutating func plain(
    _ value: GraphValue, levels: Int
  ) throws(ModelError) -> UnarchivedValue {
    valueCount += 1
    guard valueCount <= Limit.values else { throw ModelError(.tooMany, name: "values") }
    let graph = archive.graph
    switch value {
    case .null: return .null
    // What is known of an object of another class is the class.
    case .object(_, let id): return .className(graph.classes[id.index].name)
    case .nsNull: return .nsNull
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .wideInteger(let value): return .wideInteger(value.value)
    case .real(let value): return .real(value)
    case .date(let seconds): return .date(ArchivedDate(secondsSinceReferenceDate: seconds))
    case .text: return .text(try archive.text(value) ?? "")
    case .data(let bytes): return .data(bytes.data)
    case .uuid(let bytes):
      return UUID(bytes).map { .uuid($0) } ?? .null
    case .decimal(let decimal): return .decimal(decimal.text)
    case .url, .relativeURL: return try archive.canonicalText(value).map { .url($0) } ?? .null
    case .className(let id): return .className(graph.classes[id.index].name)
    case .foundation(let uid, _):
      let read = try ModelArchive.reading { () throws(ArchiveError) in
        try graph.foundationValue(uid)
      }
      return read.map { .foundation($0) } ?? .null
    case .collection(let id, let kind):
      guard levels > 0 else { throw ModelError(.tooMany, name: "nested values") }
      return try plain(id, kind, levels: levels - 1)
    }
  }

  private mutating func plain(
    _ id: CollectionID, _ kind: CollectionKind, levels: Int
  ) throws(ModelError) -> UnarchivedValue {
    let collection = GraphValue.collection(id, kind)
    guard kind == .dictionary else {
      var values: [UnarchivedValue] = []
      for value in try archive.list(collection) {
        values.append(try plain(value, levels: levels))
      }
      return switch kind {
      case .array: .array(values)
      case .orderedSet: .orderedSet(values)
      default: .set(values)
      }
    }
    var pairs: [UnarchivedValue.Pair] = []
    for (key, value) in try archive.pairs(of: collection) {
      pairs.append(UnarchivedValue.Pair(.text(key), try plain(value, levels: levels)))
    }
    return .dictionary(pairs)
  }
}
