import ArchiveReader

/// The keys of an archived object, as a hook decodes them, and the store that it inserts into.
///
/// It keeps `NSCoder`'s contract: an absent key gives nil, false or 0, and never an error. A value
/// of another kind is an `ImportError`; a number that is too large, a class that is not allowed and
/// a damaged archive are `ArchiveError`s.
///
/// Objects that are rows are not decoded for being asked for: what is given is their row. So cycles
/// cost nothing, and an object that many refer to becomes one row. Not for use after the hook has
/// returned.
public final class ImportCoder {
  // Properties that each value touches are not checked for exclusive access, which would be 4 % of
  // a conversion with hooks. That is safe: one thread uses a coder, and what is called while one of
  // them is changed, which is methods of its own type, does not come back to it.

  private(set) var object: GraphObject
  let session: ImportSession
  let depth: Int
  /// The keys of the object, and which of them have been read.
  @safe @exclusivity(unchecked) package var fields: ObjectFields
  /// The positions of keys that are left behind on purpose.
  @safe @exclusivity(unchecked) private(set) var ignored: KeyBits
  /// The first error, where errors are kept: see `ImportExtensions.decoding`.
  @safe @exclusivity(unchecked) public internal(set) var error: (any Error)?
  /// For the hook of a superclass: where it stands in the hierarchy of the object's class.
  var hierarchyPosition = 0
  /// True if usual values can be taken as they are: nothing is asked of their form, and no error is
  /// kept.
  let takesShortWay: Bool

  init(
    _ object: GraphObject, in session: ImportSession, depth: Int = 0, isReused: Bool = false
  ) {
    self.object = object
    self.session = session
    self.depth = depth
    fields = ObjectFields(object, session.graph, isReused: isReused)
    ignored = KeyBits(fields.keys.count)
    takesShortWay =
      !session.pass.decoding.isStrict && session.pass.decoding.failurePolicy == .raise
  }

  /// Goes on with another object of the same shape.
  func begin(_ object: GraphObject) {
    self.object = object
    fields.begin(object)
    if !ignored.isEmpty { ignored = KeyBits(fields.keys.count) }
    error = nil
  }

  // MARK: The store

  /// The store under construction.
  public var context: any DestinationContext { session.context }

  /// Inserts a row into an entity.
  ///
  /// The first row that a hook inserts is the one that references to the object lead to, unless
  /// the hook returns another.
  @discardableResult
  public func insert(into entityName: String) throws -> DestinationInstance {
    try session.context.insert(into: entityName)
  }

  /// Inserts a row into the entity of the object's class; one without an entity is an error.
  @discardableResult
  public func insert() throws -> DestinationInstance {
    guard let entity = try session.entity(of: object.class) else {
      throw ImportError(.noEntity, name: className)
    }
    return DestinationInstance(session.context.insert(into: entity), wasFound: false)
  }

  /// Runs the hook of the nearest superclass that has one, on the same object; none is an error.
  public func insertBySuperclass() throws -> DestinationInstance? {
    try session.runSuperclassHook(self)
  }

  // MARK: The object

  /// The archived name of the object's class.
  public var className: String { ArchivedName.plain(record.name) }

  /// The names of its class and of the superclasses of that, as archived.
  public var classHierarchy: [String] { record.hierarchy.map(ArchivedName.plain) }

  /// The name of its class as one would write it in Swift.
  ///
  /// It differs from the archived one for classes that are nested, private or generic.
  public var plainClassName: String { SwiftName.readable(className) }

  private var record: ClassRecord { session.graph.classes[object.class.index] }

  /// The path of the archive.
  public var archivePath: String { session.path }

  /// The place of the object in the archive's `$objects`.
  public var uid: Int { object.uid }

  /// All keys of the object, in the order of the archive.
  ///
  /// They are those that the app gave, without the numbers of values that have none.
  public var allKeys: [String] { fields.plainKeys }

  /// The number of values that were encoded without a key.
  public var unkeyedCount: Int { fields.unkeyedCount }

  /// True if the object has a key, even if it holds nil.
  public func containsValue(forKey key: String) -> Bool {
    fields.position(of: key) != nil
  }

  /// True if values have keys, as they do but in typedstreams.
  ///
  /// There each has the number of its position for a key, "v1" for the first.
  public var allowsKeyedCoding: Bool { !fields.hasPositions }

  /// The version of a class in a typedstream; `NSNotFound` for others, and in other archives.
  public func version(forClassName className: String) -> Int {
    session.graph.source.classVersion(className)
  }

  /// Leaves a key behind on purpose: it is listed as such, and not as unread.
  public func ignore(_ key: String) {
    if let position = fields.note(key) { ignored.insert(position) }
  }

  // MARK: Decoding

  /// A value, a row, or a collection of these; `.null` for nil and where there is no such key.
  public func decodeObject(forKey key: String) throws -> ImportValue {
    try attempt(.null) { try value(under: key) }
  }

  /// The next of the values that were encoded without a key, counted for each object by itself;
  /// `.null` for nil and after the last one.
  public func decodeObject() throws -> ImportValue {
    try attempt(.null) { try nextValue() }
  }

  // MARK: Copying

  /// Sets a property of a row to what is under a key, as it would be set without a hook.
  ///
  /// A collection keeps the collections that it holds, which a value does not.
  public func copy(_ key: String, to name: String, of instance: DestinationInstance) throws {
    try attempt(()) { try set(name, of: instance, to: try field(key)) }
  }

  /// Sets a property of a row to the next of the values that were encoded without a key, as it would
  /// be set without a hook.
  public func copyNext(to name: String, of instance: DestinationInstance) throws {
    try attempt(()) { try set(name, of: instance, to: try fields.nextUnkeyedField(session.graph)) }
  }

  private func set(
    _ name: String, of instance: DestinationInstance, to field: ArchivedField?
  ) throws {
    guard let field else { return }
    if case .collection = field.value, let row = instance.rowInstance,
      session.context.setArchived(field.value, for: name, in: row)
    {
      return
    }
    instance[name] = try session.importValue(of: field.value, depth: depth)
  }

  // MARK: Fields

  /// The field under a key; nil if there is none.
  func field(_ key: String) throws(ArchiveError) -> ArchivedField? {
    try fields.field(key, session.graph)
  }

  /// A usual value under a key; nil where it takes more than a look.
  @inline(__always)
  func plainValue(_ key: String) -> GraphValue? {
    guard takesShortWay else { return nil }
    return fields.valueAtHand(key) ?? fields.plainValue(key, session.graph)
  }

  /// The value under a key.
  func value(under key: String) throws -> ImportValue {
    guard let plain = plainValue(key) else { return try value(of: try field(key)) }
    return try session.importValue(of: plain, under: key, depth: depth)
  }

  /// The value in a field.
  package func value(of field: ArchivedField?) throws -> ImportValue {
    guard let field else { return .null }
    try checkPlace(field)
    return try session.importValue(of: field.value, under: field.key, depth: depth)
  }

  /// Objects stand after references: a value in the place of one is for lenient coders.
  func checkPlace(_ field: ArchivedField) throws {
    if isStrict, !field.isReference { throw wrongKind(field, expected: "an object") }
  }

  /// Runs a body; an error is thrown or kept, as the policy has it.
  func attempt<R>(_ nothing: R, _ body: () throws -> R) throws -> R {
    guard session.pass.decoding.failurePolicy == .setErrorAndReturn else { return try body() }
    guard error == nil else { return nothing }
    do {
      return try body()
    } catch let error as StoreError {
      throw error
    } catch {
      self.error = error
      return nothing
    }
  }

  /// Lets the hook of a superclass go on with the same keys, values and error.
  func lend<R>(to inner: ImportCoder, _ body: () throws -> R) rethrows -> R {
    (inner.fields, inner.error) = (fields, error)
    defer {
      (fields, error) = (inner.fields, inner.error)
      ignored.formUnion(inner.ignored)
    }
    return try body()
  }
}
