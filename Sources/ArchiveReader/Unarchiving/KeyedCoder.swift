/// The keys of an archived object, as its `init(coder:)` decodes them.
///
/// It keeps `NSCoder`'s contract: an absent key gives nil, false or 0, and never an error. Not for
/// use after the initializer has returned.
public final class KeyedCoder {
  /// The unarchiver whose object it is.
  public let unarchiver: KeyedUnarchiver

  let state: State
  let object: GraphObject?
  /// The classes that the object was allowed by.
  let classes: [AllowedClass]?

  /// Which keys there are, and what was read of them.
  final class State {
    var fields: ObjectFields

    init(_ fields: ObjectFields) { self.fields = fields }
  }

  init(
    _ state: State, of object: GraphObject?, in unarchiver: KeyedUnarchiver,
    classes: [AllowedClass]?
  ) {
    self.state = state
    self.object = object
    self.unarchiver = unarchiver
    self.classes = classes
  }

  // MARK: The object

  /// The archived name of the object's class; empty for `$top`.
  public var className: String { record.map { ArchivedName.plain($0.name) } ?? "" }

  /// The names of its class and of the superclasses of that, as archived.
  public var classHierarchy: [String] { record?.hierarchy.map(ArchivedName.plain) ?? [] }

  private var record: ClassRecord? {
    object.map { unarchiver.graph.classes[$0.class.index] }
  }

  /// The place of the object in the archive's `$objects`; nil for `$top`.
  public var uid: Int? { object?.uid }

  /// The keys that can be asked for, in the order of the archive.
  public var allKeys: [String] { state.fields.plainKeys }

  /// The keys that can be asked for and have not been, in the order of the archive.
  public var unreadKeys: [String] {
    state.fields.plainKeys.filter { key in
      state.fields.position(of: key).map { !state.fields.read.contains($0) } ?? false
    }
  }

  /// How many values were encoded without a key.
  public var unkeyedCount: Int { state.fields.unkeyedCount }

  /// Whether there is a key, even if it holds nil.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether it is there.
  public func containsValue(forKey key: String) -> Bool {
    state.fields.position(of: key) != nil
  }

  /// Whether values have keys: they always do.
  public var allowsKeyedCoding: Bool { true }

  /// Whether objects are decoded only where a list of classes allows theirs.
  public var requiresSecureCoding: Bool { unarchiver.options.requiresSecureCoding }

  /// What an error does.
  public var decodingFailurePolicy: DecodingFailurePolicy {
    unarchiver.options.decoding.failurePolicy
  }

  /// The version of a class: keyed archives hold none, so there is none to be found.
  ///
  /// - Parameter className: The name of the class.
  /// - Returns: `NSNotFound`.
  public func version(forClassName className: String) -> Int { Int.max }

  /// Lets others that are decoded inside of this object have it before its initializer is done.
  ///
  /// Call it as soon as all stored properties are set. Without it, an object that is decoded in
  /// place and leads back to itself is an error; objects that refer to it by
  /// `decodeReference(to:forKey:)` need nothing.
  ///
  /// - Parameter object: The object that is being decoded: `self`.
  public func register(_ object: any KeyedDecodable & AnyObject) {
    guard let uid, case .decoding(nil, _) = unarchiver.slots[uid] else { return }
    unarchiver.slots[uid] = .decoding(early: object, isHandedOut: false)
  }

  // MARK: Errors

  /// The first error, where errors are kept.
  public var error: (any Error)? { unarchiver.failure }

  /// Fails with an error of one's own, as the policy has it.
  ///
  /// - Parameter error: The error.
  /// - Throws: The error, where errors are thrown at once.
  public func failWithError(_ error: any Error) throws {
    try attempt(()) { throw error }
  }

  /// Runs a body; an error is thrown or kept, as the policy has it.
  func attempt<R>(_ nothing: R, _ body: () throws -> R) throws -> R {
    guard decodingFailurePolicy == .setErrorAndReturn else { return try body() }
    guard unarchiver.failure == nil else { return nothing }
    do {
      return try body()
    } catch {
      if unarchiver.failure == nil { unarchiver.failure = error }
      return nothing
    }
  }

  /// What stands under a key.
  func field(_ key: String) throws(ArchiveError) -> ArchivedField? {
    try state.fields.field(key, unarchiver.graph)
  }

  /// Counts something that was taken for another kind of value.
  func note(_ kind: DecodingAdjustment.Kind, _ field: ArchivedField) {
    unarchiver.note(DecodingAdjustment(kind, className: record?.name, key: field.key))
  }
}
