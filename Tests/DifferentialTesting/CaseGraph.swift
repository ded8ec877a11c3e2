/// What of a case is to be in a store: everything that the top-level keys reach.
struct CaseGraph {
  /// An object or a collection of one of the files.
  struct Place: Hashable, Comparable {
    var file: Int
    var number: Int

    static func < (one: Place, other: Place) -> Bool {
      (one.file, one.number) < (other.file, other.number)
    }
  }

  let files: [ArchivedFile]
  private(set) var objects: Set<Place> = []
  /// Collections that stand in others, or under a top-level key.
  private(set) var unownedCollections: Set<Place> = []
  private var collections: Set<Place> = []

  init(_ files: [ArchivedFile]) {
    self.files = files
    for (file, archive) in files.enumerated() {
      var waiting: [Content] = []
      for pair in archive.top {
        note(pair.content, file)
        waiting.append(pair.content)
      }
      while let content = waiting.popLast() {
        switch content {
        case .none, .null, .leaf: break
        case .object(let number):
          guard objects.insert(Place(file: file, number: number)).inserted else { break }
          waiting += archive.objects[number].pairs.map(\.content)
        case .collection(let number):
          guard collections.insert(Place(file: file, number: number)).inserted else { break }
          let contents = archive.collections[number].keys + archive.collections[number].elements
          for content in contents { note(content, file) }
          waiting += contents
        }
      }
    }
  }

  private mutating func note(_ content: Content, _ file: Int) {
    guard case .collection(let number) = content else { return }
    unownedCollections.insert(Place(file: file, number: number))
  }

  func object(_ place: Place) -> ArchivedObject { files[place.file].objects[place.number] }

  func collection(_ number: Int, _ file: Int) -> ArchivedCollection {
    files[file].collections[number]
  }

  /// What stands under a key of an object; nothing for no such key.
  func content(_ place: Place, _ key: String) -> Content { object(place)[key] ?? .none }

  /// The classes whose objects are rows.
  var classNames: [String] { Set(objects.map { object($0).className }).sorted() }

  func objects(of className: String) -> [Place] {
    objects.filter { object($0).className == className }.sorted()
  }

  func keys(of className: String) -> [String] {
    Set(objects(of: className).flatMap { object($0).pairs.map(\.key) }).sorted()
  }

  /// The name of the entity: a Swift module is left out.
  static func entityName(_ className: String) -> String {
    className.split(separator: ".").last.map(String.init) ?? className
  }

  /// How many values and links stand under all keys of an object.
  func counts(_ place: Place) -> (values: Int, links: Int) {
    var values = 0
    var links = 0
    func count(_ content: Content, isElement: Bool) {
      switch content {
      case .none, .null: break
      case .leaf: values += 1
      case .object: links += 1
      case .collection(let number):
        if isElement {
          links += 1
        } else {
          for element in collection(number, place.file).elements { count(element, isElement: true) }
        }
      }
    }
    for pair in object(place).pairs { count(pair.content, isElement: false) }
    return (values, links)
  }

  /// How many elements the collections of some objects have under a key; nil where there is none,
  /// and nothing for objects with something else there.
  func counts(ofCollections objects: [Place], _ key: String) -> [Place: Int?] {
    var counts: [Place: Int?] = [:]
    for object in objects {
      switch content(object, key) {
      case .none, .null: counts[object] = .some(nil)
      case .collection(let number):
        counts[object] = collection(number, object.file).elements.count
      default: break
      }
    }
    return counts
  }

  /// What a key holds: itself, and through collections.
  func contents(_ content: Content, _ file: Int) -> (leaves: [Leaf], objects: Set<Place>) {
    var leaves: [Leaf] = []
    var objects: Set<Place> = []
    var seen: Set<Int> = []
    var waiting = [content]
    while let content = waiting.popLast() {
      switch content {
      case .none, .null: break
      case .leaf(let leaf, _): leaves.append(leaf)
      case .object(let number): objects.insert(Place(file: file, number: number))
      case .collection(let number):
        guard seen.insert(number).inserted else { break }
        waiting += collection(number, file).keys + collection(number, file).elements
      }
    }
    return (leaves, objects)
  }

  /// How many values only a top-level key holds, in collections too; those of several keys count
  /// for the first.
  var valuesOfTopLevelKeys: [String: Int] {
    var counts: [String: Int] = [:]
    for (file, archive) in files.enumerated() {
      var seen: Set<Int> = []
      for pair in archive.top.sorted(by: { $0.key < $1.key }) {
        var waiting = [pair.content]
        while let content = waiting.popLast() {
          if case .leaf = content { counts[pair.key, default: 0] += 1 }
          guard case .collection(let number) = content, seen.insert(number).inserted else {
            continue
          }
          waiting += collection(number, file).keys + collection(number, file).elements
        }
      }
    }
    return counts
  }
}
