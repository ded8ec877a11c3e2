import ArchiveReader
import DataModel
import GraphCore
import Support

/// A store that is read into memory whole: an XML store or a binary one.
package protocol AtomicStoreSource: CoreDataSource, NestingSource {
  /// The content that was read.
  var content: AtomicStoreContent { get }
}

/// The content of an atomic store, in the form that all kinds of them are read into.
package struct AtomicStoreContent: Sendable {
  let objects: AtomicObjects
  /// The objects of an archive that stand as values in the store; none in an XML store.
  let archived: ArchivedObjects?
  /// The number of objects in that archive that nothing in it leads to.
  var unreachableObjects = 0
}

extension AtomicStoreSource {
  package var version: Int64 { metadata.frameworkVersion ?? 0 }
  package var holdsObjectsInValues: Bool { content.archived?.isEmpty == false }
  package var ownObjectCount: Int { content.objects.objects.count }
  /// The objects of the store, then those that stand as values in it.
  package var objectCount: Int { ownObjectCount + (content.archived?.uids.count ?? 0) }
  package var valueCount: Int {
    content.objects.values.count + content.objects.members.count
      + (content.archived?.archive.valueCount ?? 0)
  }
  package var roots: [GraphRoot] { [] }
  package var holdsEveryObject: Bool { true }
  package var keepsBytes: Bool { true }
  package var forbiddenCharacters: Int { 0 }
  package var losses: [ArchiveError] { content.objects.losses.losses }
  package var lossCount: Int { content.objects.losses.count }
  /// Nothing: what the model does not know is an error.
  package var leftOut: [StoreRemainder] { [] }
  package var archiver: String { "Core Data" }

  package func explained(_ error: ArchiveError) -> ArchiveError { named(error) }

  package func makeGraph(_ options: GraphOptions) -> any ObjectGraph {
    AtomicStoreGraph(self, options)
  }

  package func storeKey(ofObject uid: Int) -> (entity: String, key: Int64)? {
    let objects = content.objects
    guard objects.objects.indices.contains(uid) else { return nil }
    let object = objects.objects[uid]
    return (objects.entity(of: object).name, object.key)
  }

  package func makeKeyLookup() -> (_ entity: String, _ key: Int64) -> Int? {
    let objects = content.objects
    let numbers = Dictionary(
      objects.objects.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    return { entity, key in
      numbers[key].flatMap {
        objects.entity(of: objects.objects[$0]).name == entity ? $0 : nil
      }
    }
  }
}

/// The properties of each entity of a model, in the order in which they are read and kept.
struct AtomicSchema: Sendable {
  /// An entity with all that it inherits.
  struct Entity: Sendable {
    let name: String
    /// The entity, its superentities, and what all of them are objects of.
    let hierarchy: [String]
    /// The stored attributes, sorted by name.
    let attributes: [Attribute]
    /// The stored relationships, sorted by name.
    let relationships: [Relationship]
    /// The keys of its objects: the names of attributes, then those of relationships.
    let keys: [String]
    /// The places of the attributes in the order of a binary store: those of the topmost
    /// superentity first, those of each level sorted by name.
    let attributesByLevel: [Int]
    /// The places of the entity and its superentities.
    let ancestors: Set<Int>
    /// For each relationship the places of the entities whose objects it may hold; none for any.
    let destinations: [[Int]]
  }

  /// The entities in the order of their numbers, which begin with 1.
  let entities: [Entity]
  private let places: [String: Int]

  /// The superclass of all entities.
  private static let rootClass = "NSManagedObject"

  init(_ model: Model) {
    let numbered = model.numberedEntities.map(\.entity)
    let places = Dictionary(
      numbered.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    // For each entity the places of its superentities and itself, the topmost first.
    var chains: [[Int]] = []
    for (place, entity) in numbered.enumerated() {
      let parent = entity.parent.flatMap { places[$0] }.flatMap { $0 < place ? $0 : nil }
      chains.append((parent.map { chains[$0] } ?? []) + [place])
    }
    entities = zip(numbered, chains).map { entity, chain in
      Self.entity(entity.name, levels: chain.map { numbered[$0] }, chain, places)
    }
    self.places = places
  }

  /// The place of the entity with a name.
  func place(of name: String) -> Int? { places[name] }

  private static func entity(
    _ name: String, levels: [DataModel.Entity], _ chain: [Int], _ places: [String: Int]
  ) -> Entity {
    var byLevel: [Attribute] = []
    var relationships: [Relationship] = []
    // A property may be declared again by a subentity: it stands where it was declared first.
    var names: Set<String> = []
    for level in levels {
      byLevel += level.attributes.filter { $0.isStored && names.insert($0.name).inserted }
        .sorted { $0.name.precedesInBytes($1.name) }
      relationships += level.relationships.filter {
        !$0.isTransient && names.insert($0.name).inserted
      }
    }
    let order = byLevel.indices.sorted { byLevel[$0].name.precedesInBytes(byLevel[$1].name) }
    var attributesByLevel = Array(repeating: 0, count: order.count)
    for (place, level) in order.enumerated() { attributesByLevel[level] = place }
    relationships.sort { $0.name.precedesInBytes($1.name) }
    let attributes = order.map { byLevel[$0] }
    return Entity(
      name: name, hierarchy: levels.reversed().map(\.name) + [rootClass], attributes: attributes,
      relationships: relationships, keys: attributes.map(\.name) + relationships.map(\.name),
      attributesByLevel: attributesByLevel, ancestors: Set(chain),
      destinations: relationships.map { $0.destinations.compactMap { places[$0] } })
  }
}

/// Names that are looked up without regard to case, since an XML store does not keep it.
///
/// Some letters have several as their counterpart: "Größe" is "GRÖSSE" in capitals, and no name in
/// small letters gives that back. So names are compared as the store has them.
struct FoldedNames: Sendable {
  /// The letters that a store keeps names in.
  enum Letters {
    /// The letters of the names of entities.
    case capital
    /// The letters of the names of properties.
    case small
  }

  /// For each name in the store's letters the places of those that it stands for.
  private var places: [String: [Int]] = [:]
  /// The same in capitals, for names that are found in no other way.
  private var capitals: [String: [Int]] = [:]
  private let names: [String]
  private let letters: Letters

  init(_ names: [String], in letters: Letters) {
    (self.names, self.letters) = (names, letters)
    for (place, name) in names.enumerated() {
      capitals[name.uppercased(), default: []].append(place)
      if letters == .small { places[name.lowercased(), default: []].append(place) }
    }
  }

  /// The place of a name.
  ///
  /// - Parameter name: The name, in any case.
  /// - Returns: Its place; nil if there is none like it.
  /// - Throws: `ArchiveError` if several names differ only in case.
  func place(of name: String) throws(ArchiveError) -> Int? {
    // Those of properties are in small letters already.
    let known = letters == .small ? places[name] ?? places[name.lowercased()] : nil
    guard let found = known ?? capitals[name.uppercased()], let first = found.first else {
      return nil
    }
    guard found.count == 1 else {
      throw ArchiveError(.ambiguousName, name: found.map { names[$0] }.joined(separator: " and "))
    }
    return first
  }
}
