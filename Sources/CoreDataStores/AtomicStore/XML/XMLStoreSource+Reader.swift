import ArchiveReader
import DataModel
import GraphCore

extension XMLStoreSource {
  /// Reads an XML store into memory: its objects, by the model that they are of.
  struct Reader {
    /// The place of the reader in the document.
    enum State {
      case outside
      case database
      case head
      case object
      /// In an object that is not read, so many elements deep.
      case skipped(depth: Int)
      case attribute(AttributeState)
      /// In a relationship, which has no text.
      case relationship
    }

    /// An attribute whose text is read.
    enum AttributeState {
      /// The one at a place among those of the entity.
      case known(Int)
      /// One that the model does not have, which must be empty.
      case unknown(String)
      /// One that the object has had before.
      case repeated
    }

    private let limits: ReadingLimits
    var builder: AtomicStoreBuilder
    private let entityNames: FoldedNames
    /// For each entity the names of its attributes and relationships, made when one is met.
    var propertyNames: [Int: (attributes: FoldedNames, relationships: FoldedNames)] = [:]
    var values = Value()
    private var head: Head
    var state = State.outside
    private var hasRoot = false
    /// The place of the entity of the object that is read, and which of its keys were met.
    var entity = 0
    var metKeys: Set<Int> = []
    var text: [UInt8] = []
    /// The line of the event that is received.
    private var line = 0

    /// Reads a store.
    ///
    /// - Parameters:
    ///   - document: The bytes of the file.
    ///   - schema: The schema of its objects.
    ///   - limits: The limits for hostile files.
    ///   - salvages: True if a damaged store is read as far as possible.
    /// - Returns: The objects, and what the store says of itself.
    /// - Throws: `ArchiveError` with the line.
    /// - Complexity: Linear in the size of the file, but for sorting the objects.
    static func read(
      _ document: ByteStorage, schema: AtomicSchema, limits: ReadingLimits, salvages: Bool
    ) throws(ArchiveError) -> (objects: AtomicObjects, metadata: CoreDataMetadata) {
      var reader = Reader(
        schema: schema, byteCount: document.count, limits: limits, salvages: salvages)
      do throws(ArchiveError) {
        try XMLStoreEvents.read(document) { (event, line) throws(ArchiveError) in
          try reader.receive(event, line)
          return true
        }
      } catch {
        // What stands before the damage is read.
        guard reader.hasRoot, error.code == .malformedXML else { throw error }
        try reader.builder.lose(error)
      }
      guard reader.hasRoot else { throw ArchiveError(.damagedStore, name: "it has no <database>") }
      if reader.values.texts.isSuspect { try reader.builder.lose(ArchiveError(.suspectByteOrder)) }
      var metadata = CoreDataMetadata(values: [], uuid: "")
      do throws(ArchiveError) {
        metadata = try reader.head.metadata()
      } catch {
        try reader.builder.lose(error)
      }
      return (reader.builder.finish(), metadata)
    }

    /// Reads what a store says of itself, and not its objects.
    static func metadata(
      of document: ByteStorage, limits: ReadingLimits
    ) throws(ArchiveError) -> CoreDataMetadata {
      var reader = Reader(
        schema: AtomicSchema(Model()), byteCount: document.count, limits: limits,
        salvages: false)
      try XMLStoreEvents.read(document) { (event, line) throws(ArchiveError) in
        if case .start("object", _) = event, case .database = reader.state { return false }
        try reader.receive(event, line)
        return true
      }
      guard reader.hasRoot else { throw ArchiveError(.damagedStore, name: "it has no <database>") }
      return try reader.head.metadata()
    }

    private init(
      schema: AtomicSchema, byteCount: Int, limits: ReadingLimits, salvages: Bool
    ) {
      self.limits = limits
      builder = AtomicStoreBuilder(
        schema: schema, keyPrefix: "z", byteCount: byteCount, limits: limits, salvages: salvages)
      entityNames = FoldedNames(schema.entities.map(\.name), in: .capital)
      head = Head(limits: limits)
    }

    private mutating func receive(
      _ event: XMLDocumentReader.Event, _ line: Int
    ) throws(ArchiveError) {
      self.line = line
      switch event {
      case .start(let name, let attributes): try start(name, attributes)
      case .text(let bytes): try receive(bytes)
      case .end: try end()
      }
    }

    /// Refuses the store for a mistake in this line, or notes it where the rest is to be read.
    mutating func lose(_ error: ArchiveError) throws(ArchiveError) {
      try builder.lose(error.placed(at: .line(line, column: 0)))
    }

    // MARK: Elements

    private mutating func start(
      _ name: String, _ attributes: [String: String]
    ) throws(ArchiveError) {
      switch (state, name) {
      case (.outside, "database"):
        hasRoot = true
        state = .database
      case (.outside, _): throw ArchiveError(.damagedStore, name: "its root is <\(name)>")
      case (.database, "databaseInfo"): state = .head
      case (.database, "object"): try startObject(attributes)
      case (.head, _): try head.start(name)
      case (.object, "attribute"): try startAttribute(attributes)
      case (.object, "relationship"): try startRelationship(attributes)
      case (.skipped(let depth), _): state = .skipped(depth: depth + 1)
      case (.database, _), (.object, _), (.attribute, _), (.relationship, _):
        throw ArchiveError(.unexpectedElement, name: name)
      }
    }

    private mutating func receive(_ bytes: BorrowedBytes) throws(ArchiveError) {
      switch state {
      case .head: try head.text(bytes)
      case .attribute:
        guard text.count + bytes.count <= limits.xmlBytes - builder.bytes.count else {
          throw limits.exceeded(.xmlBytes)
        }
        unsafe text.append(contentsOf: bytes.buffer)
      case .outside, .skipped: break
      case .database, .object, .relationship:
        guard unsafe Self.isBlank(bytes.buffer) else {
          return try lose(ArchiveError(.unexpectedText))
        }
      }
    }

    private mutating func end() throws(ArchiveError) {
      switch state {
      case .outside: break
      case .database: state = .outside
      case .head: if try !head.end() { state = .database }
      case .object: state = .database
      case .skipped(let depth): state = depth > 0 ? .skipped(depth: depth - 1) : .database
      case .relationship: state = .object
      case .attribute(let attribute):
        state = .object
        try endAttribute(attribute)
      }
    }

    static func isBlank(_ bytes: some Sequence<UInt8>) -> Bool {
      bytes.allSatisfy { XMLStoreText.isSpace($0) }
    }

    // MARK: Objects

    private mutating func startObject(_ attributes: [String: String]) throws(ArchiveError) {
      state = .skipped(depth: 0)
      guard let type = attributes["type"] else {
        return try lose(ArchiveError(.damagedStore, name: "an object has no type"))
      }
      guard let found = try entityNames.place(of: type) else {
        return try lose(ArchiveError(.unknownEntity, name: type))
      }
      guard try builder.add(entity: found, name: attributes["id"].map(Self.name(of:))) else {
        return
      }
      entity = found
      metKeys.removeAll(keepingCapacity: true)
      state = .object
    }

    /// The name that an identifier is: those that Core Data makes are "z" and a number.
    static func name(of identifier: String) -> AtomicStoreBuilder.Identifiers.Name {
      guard identifier.first == "z", let key = Int64(identifier.dropFirst()), key >= 0,
        "z\(key)" == identifier
      else { return .text(identifier) }
      return .key(key)
    }
  }
}
