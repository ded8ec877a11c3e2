import Foundation

/// Decodes the objects of an archive, or of another source, into types of one's own.
///
/// ```swift
/// let unarchiver = try KeyedUnarchiver(
///   contentsOf: path, options: UnarchivingOptions(types: [Library.self, Note.self]))
/// let library = try unarchiver.decodeRoot(of: Library.self)
/// ```
///
/// The sources are keyed archives, other property lists by `UnarchivingOptions.recordClasses`, and
/// Core Data stores. Each object is decoded once, however many refer to it. Not for use by several
/// tasks at a time.
public final class KeyedUnarchiver {
  /// The options of the unarchiver.
  public let options: UnarchivingOptions
  /// The first error, where errors are kept: see `DecodingFailurePolicy.setErrorAndReturn`.
  public internal(set) var failure: (any Error)?
  /// The adjustments that were made, and how often each was.
  ///
  /// At most a thousand different ones are kept.
  public private(set) var adjustments: [DecodingAdjustment: Int] = [:]

  let graph: any ObjectGraph
  /// True if objects stand behind references, as they do in archives.
  let hasReferences: Bool
  var resolver: ClassResolver
  /// The state of each object that was met, by UID.
  var slots: [Int: Slot] = [:]
  /// The current number of levels of objects and collections that are decoded inside of one
  /// another.
  var depth = 0
  /// The values that may still be decoded: shared collections and values are decoded for each
  /// owner.
  var budget: ExpansionBudget
  var pending: WorkList
  var pendingClasses: [Int: [AllowedClass]] = [:]
  var resolvers: [() throws -> Void] = []
  var isSettling = false
  /// The first error of an object that others wait for: they stay without it.
  var settlingError: (any Error)?
  /// The keys of the top level, and what was read of them.
  var topFields: ObjectFields

  /// The state of an object.
  enum Slot {
    /// It is being decoded; it may have registered itself, and have been handed out.
    case decoding(early: (any KeyedDecodable)?, isHandedOut: Bool)
    case decoded(DecodedValue)
    case failed(any Error)
  }

  private static let maxAdjustments = 1000

  /// Creates an unarchiver of a source of any kind.
  package init(_ source: any GraphSource, options: UnarchivingOptions = UnarchivingOptions()) {
    self.options = options
    resolver = ClassResolver(options)
    let graphOptions = GraphOptions(
      limits: options.limits, classesReadAsObjects: resolver.classesReadAsObjects)
    let rules = RecordRules(classNames: options.recordClasses, pairs: [])
    let source = RecordSource.make(source, rules, graphOptions)
    hasReferences = source is KeyedArchive
    graph = source.makeGraph(graphOptions)
    pending = WorkList(objectCount: source.objectCount)
    budget = ExpansionBudget(source, options.limits, isNested: false)
    topFields = ObjectFields(topOf: source)
  }

  /// Creates an unarchiver of an archive.
  public convenience init(
    _ archive: KeyedArchive, options: UnarchivingOptions = UnarchivingOptions()
  ) {
    self.init(archive as any GraphSource, options: options)
  }

  /// Creates an unarchiver of the archive in a file; one that is not sound is an error.
  public convenience init(
    contentsOf path: String, options: UnarchivingOptions = UnarchivingOptions()
  ) throws(ArchiveError) {
    try self.init(try PropertyList(contentsOf: path, limits: options.limits), options)
  }

  /// Creates an unarchiver of the archive in bytes in memory; one that is not sound is an error.
  public convenience init(
    bytes: some Collection<UInt8>, options: UnarchivingOptions = UnarchivingOptions()
  ) throws(ArchiveError) {
    try self.init(try PropertyList(bytes: bytes, limits: options.limits), options)
  }

  private convenience init(
    _ list: PropertyList, _ options: UnarchivingOptions
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      self.init(try KeyedArchive(list), options: options)
    } catch {
      guard error.code == .notAnArchive, !options.recordClasses.isEmpty else { throw error }
      self.init(KeyedArchive(plain: list), options: options)
    }
  }

  // MARK: Decoding

  /// The coder of the keys of `$top`.
  ///
  /// It holds the unarchiver, and not the other way round. Which keys were read, and which value
  /// without a key comes next, is the same for all of them.
  public var coder: KeyedCoder { KeyedCoder(of: nil, in: self, classes: nil) }

  /// Decodes the object under the key `root`, with all that it refers to; nil where there is none.
  public func decodeRoot<Object: KeyedDecodable>(
    of type: Object.Type = Object.self
  ) throws -> Object? {
    try decodeTopLevelObject(of: type, forKey: "root")
  }

  /// Decodes the object under a key of `$top`, with all that it refers to; nil where there is none.
  public func decodeTopLevelObject<Object: KeyedDecodable>(
    of type: Object.Type = Object.self, forKey key: String
  ) throws -> Object? {
    let object = try coder.decodeTopLevelObject(of: type, forKey: key)
    try finishDecoding()
    return object
  }

  /// Decodes the objects of a type and its subclasses that a store holds, in its order, with all
  /// that they refer to; none for an archive, whose objects are those that its keys lead to.
  public func decodeObjects<Object: KeyedDecodable>(
    of type: Object.Type = Object.self
  ) throws -> [Object] {
    var objects: [Object] = []
    var first = 0
    while let (uid, id) = try graph.ownObject(from: first) {
      first = uid + 1
      guard case .type(let own) = resolver.resolution(of: id, graph.classes[id.index]),
        own.isKind(of: type),
        case .object(let object as Object) = try object(
          uid, own, [.type(type)], .object(uid, key: nil))
      else { continue }
      objects.append(object)
    }
    try finishDecoding()
    return objects
  }

  /// Decodes what was referred to and is not decoded yet; the first error that was met is thrown.
  public func finishDecoding() throws {
    try settle()
    if let failure { throw failure }
  }

  /// Counts something that was taken for another kind of value.
  func note(_ adjustment: DecodingAdjustment) {
    guard adjustments[adjustment] != nil || adjustments.count < Self.maxAdjustments else { return }
    adjustments[adjustment, default: 0] += 1
  }
}

extension KeyedUnarchiver {
  /// A plain value, copied out of the archive.
  func plain(
    _ value: GraphValue, _ place: ArchiveError.Position
  ) throws(ArchiveError) -> DecodedValue {
    try spend(at: place) { (budget) throws(ArchiveError) in
      try budget.spend(on: value, graph)
    }
    return switch value {
    case .null, .object, .collection: .null
    case .nsNull: .nsNull
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .wideInteger(let wide): .wideInteger(wide.value)
    case .real(let value): .real(value)
    case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .text(let text): .text(text.string)
    case .data(let bytes): .data(bytes.data)
    case .uuid(let bytes):
      UUID(bytes).map { .uuid($0) } ?? .null
    case .decimal(let decimal): .decimal(decimal.decimal)
    case .url(let text): .url(text.string)
    case .relativeURL(let uid): graph.urlText(uid).map { .url($0) } ?? .null
    case .className(let id): .className(ArchivedName.plain(graph.classes[id.index].name))
    case .foundation(let uid, let id):
      if let value = try graph.foundationValue(uid) {
        .foundation(value)
      } else {
        throw ArchiveError(
          .misfitObject, at: .object(uid, key: nil), name: graph.classes[id.index].name)
      }
    }
  }
  /// Spends something of what may still be decoded.
  func spend(
    at place: ArchiveError.Position,
    _ body: (inout ExpansionBudget) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    do { try body(&budget) } catch { throw error.placed(at: place) }
  }
}
