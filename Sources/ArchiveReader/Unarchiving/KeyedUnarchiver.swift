/// Decodes the objects of a keyed archive into types of one's own, without a store.
///
/// ```swift
/// let unarchiver = try KeyedUnarchiver(
///   contentsOf: path, options: UnarchivingOptions(types: [Library.self, Note.self]))
/// let library = try unarchiver.decodeRoot(of: Library.self)
/// ```
///
/// Each object is decoded once, however many refer to it. Not for use by several tasks at a time.
public final class KeyedUnarchiver {
  /// The archive.
  public let archive: KeyedArchive
  /// What the unarchiver goes by.
  public let options: UnarchivingOptions
  /// The first error, where errors are kept: see `DecodingFailurePolicy.setErrorAndReturn`.
  public internal(set) var failure: (any Error)?
  /// What was taken for another kind of value, and how often.
  ///
  /// At most a thousand different ones are kept.
  public private(set) var adjustments: [DecodingAdjustment: Int] = [:]

  let graph: ArchiveGraph
  var resolver: ClassResolver
  /// What became of each object that was met, by UID.
  var slots: [Int: Slot] = [:]
  /// How deep objects and collections are being decoded inside of one another.
  var depth = 0
  /// How much may still be decoded: shared collections and values are decoded for each owner.
  var budget: ExpansionBudget
  var pending: WorkList
  var pendingClasses: [Int: [AllowedClass]] = [:]
  var resolvers: [() throws -> Void] = []
  var isSettling = false
  /// The first error of an object that others wait for: they stay without it.
  var settlingError: (any Error)?
  /// The keys of the top level, and what was read of them.
  var topFields: ObjectFields

  /// What became of an object.
  enum Slot {
    /// It is being decoded; it may have registered itself, and have been handed out.
    case decoding(early: (any KeyedDecodable)?, isHandedOut: Bool)
    case decoded(DecodedValue)
    case failed(any Error)
  }

  private static let maxAdjustments = 1000

  /// Creates an unarchiver of an archive.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - options: What it goes by.
  public init(_ archive: KeyedArchive, options: UnarchivingOptions = UnarchivingOptions()) {
    self.archive = archive
    self.options = options
    resolver = ClassResolver(options)
    graph = ArchiveGraph(
      archive,
      GraphOptions(limits: options.limits, classesReadAsObjects: resolver.classesReadAsObjects))
    pending = WorkList(objectCount: archive.objectCount)
    budget = ExpansionBudget(archive, options.limits, isNested: false)
    topFields = ObjectFields(topOf: archive)
  }

  /// Creates an unarchiver of the archive in a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - options: What it goes by.
  /// - Throws: `ArchiveError` if the file is no sound archive.
  public convenience init(
    contentsOf path: String, options: UnarchivingOptions = UnarchivingOptions()
  ) throws(ArchiveError) {
    self.init(try KeyedArchive(contentsOf: path, limits: options.limits), options: options)
  }

  /// Creates an unarchiver of the archive in bytes in memory.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - options: What it goes by.
  /// - Throws: `ArchiveError` if the bytes are no sound archive.
  public convenience init(
    bytes: some Collection<UInt8>, options: UnarchivingOptions = UnarchivingOptions()
  ) throws(ArchiveError) {
    self.init(try KeyedArchive(bytes: bytes, limits: options.limits), options: options)
  }

  // MARK: Decoding

  /// The coder of the keys of `$top`.
  ///
  /// It holds the unarchiver, and not the other way round. Which keys were read, and which value
  /// without a key comes next, is the same for all of them.
  public var coder: KeyedCoder { KeyedCoder(of: nil, in: self, classes: nil) }

  /// Decodes the object under the key `root`, with all that it refers to.
  ///
  /// - Parameter type: The type of the object.
  /// - Returns: The object; nil where there is none.
  /// - Throws: The first error that was met.
  public func decodeRoot<Object: KeyedDecodable>(
    of type: Object.Type = Object.self
  ) throws -> Object? {
    try decodeTopLevelObject(of: type, forKey: "root")
  }

  /// Decodes the object under a key of `$top`, with all that it refers to.
  ///
  /// - Parameters:
  ///   - type: The type of the object.
  ///   - key: The key.
  /// - Returns: The object; nil where there is none.
  /// - Throws: The first error that was met.
  public func decodeTopLevelObject<Object: KeyedDecodable>(
    of type: Object.Type = Object.self, forKey key: String
  ) throws -> Object? {
    let object = try coder.decodeTopLevelObject(of: type, forKey: key)
    try finishDecoding()
    return object
  }

  /// Decodes what was referred to and is not decoded yet.
  ///
  /// - Throws: The first error that was met.
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
