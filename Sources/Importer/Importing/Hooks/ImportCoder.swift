import ArchiveReader

/// The keys of an archived object, as a hook decodes them, and the store that it inserts into.
///
/// It keeps `NSCoder`'s contract: an absent key gives nil, false or 0, and never an error. Objects
/// that are rows are not decoded for being asked for: what is given is their row. So cycles cost
/// nothing, and an object that many refer to becomes one row.
///
/// Not for use after the hook has returned.
public final class ImportCoder {
  let object: ArchivedObject
  let session: ImportSession
  private let depth: Int
  private let keys: [String]
  private(set) var read: KeyBits
  /// Keys that are left behind on purpose.
  private(set) var ignored: Set<String> = []
  /// For the hook of a superclass: where it stands in the hierarchy of the object's class.
  var hierarchyPosition = 0

  init(_ object: ArchivedObject, in session: ImportSession, depth: Int = 0) {
    self.object = object
    self.session = session
    self.depth = depth
    keys = session.importer.reader.shapes[object.shape].keys
    read = KeyBits(keys.count)
    if let position = keys.firstIndex(of: "$class") { read.insert(position) }
  }

  // MARK: The store

  /// The store under construction.
  public var context: ImportContext { session.context }

  /// Inserts a row into an entity.
  ///
  /// The first row that a hook inserts is the one that references to the object lead to, unless
  /// the hook returns another.
  ///
  /// - Parameter entityName: The name of the entity.
  /// - Returns: The row.
  /// - Throws: `ImportError` if the model has no such entity, or it is abstract.
  @discardableResult
  public func insert(into entityName: String) throws -> DestinationInstance {
    try context.insert(into: entityName)
  }

  /// Inserts a row into the entity of the object's class.
  ///
  /// - Returns: The row.
  /// - Throws: `ImportError` if the class has no entity.
  @discardableResult
  public func insert() throws -> DestinationInstance {
    guard let name = session.entityName(of: object.class) else {
      throw ImportError(.noEntity, name: className)
    }
    return try insert(into: name)
  }

  /// Runs the hook of the nearest superclass that has one, on the same object.
  ///
  /// - Returns: The row that it inserted.
  /// - Throws: `ImportError` if no superclass has a hook, and what the hook throws.
  public func insertBySuperclass() throws -> DestinationInstance? {
    try session.runSuperclassHook(self)
  }

  // MARK: The object

  /// The archived name of the object's class.
  public var className: String { record.name }

  /// The names of its class and of the superclasses of that, as archived.
  public var classHierarchy: [String] { record.hierarchy }

  private var record: ClassRecord { session.importer.reader.classes[object.class.index] }

  /// The path of the archive.
  public var archivePath: String { session.path }

  /// The place of the object in the archive's `$objects`.
  public var uid: Int { object.uid }

  /// All keys of the object, in the order of the archive.
  public var allKeys: [String] { keys.filter { $0 != "$class" } }

  /// Whether the object has a key, even if it holds nil.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether it has it.
  public func containsValue(forKey key: String) -> Bool {
    keys.contains(key) && key != "$class"
  }

  /// Leaves a key behind on purpose: it is listed as such, and not as unread.
  ///
  /// - Parameter key: The key.
  public func ignore(_ key: String) {
    guard let position = keys.firstIndex(of: key) else { return }
    read.insert(position)
    ignored.insert(key)
  }

  // MARK: Decoding

  /// What stands under a key: a value, a row, or a collection of these.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; `.null` for nil and where there is no such key.
  /// - Throws: `ArchiveError` if the archive is damaged there.
  public func decodeObject(forKey key: String) throws -> ImportValue {
    guard let value = try archived(key) else { return .null }
    return try session.importValue(of: value, depth: depth)
  }

  private func archived(_ key: String) throws -> ArchivedValue? {
    guard let position = keys.firstIndex(of: key), key != "$class" else { return nil }
    read.insert(position)
    return try session.importer.reader.value(of: object, at: position)
  }

  /// Takes over what the hook of a superclass has read.
  func merge(_ other: ImportCoder) {
    read.formUnion(other.read)
    ignored.formUnion(other.ignored)
  }
}
