import TestSupport

/// Draws the archives of a case: the same for the same seed.
///
/// Each class has a plan, by which its objects have keys, and each file deviates from it: a key is
/// gone, or new, or holds something else by now.
package struct CaseGenerator: RandomDrawing {
  var random: SeededGenerator
  /// Numbers that make values differ.
  var token = 0
  var classes: [ClassPlan] = []
  var relations: [RelationPlan] = []
  /// How often, in a hundred times, something is not as planned.
  var noise = 0
  /// Whether there are objects of value classes that are none.
  var hasOddObjects = false

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// A class and its keys.
  struct ClassPlan {
    var name: String
    var keys: [KeyPlan]
  }

  struct KeyPlan {
    var name: String
    var pattern: KeyPattern
    var leaves: [LeafKind]
    var classes: [Int]
    /// Of a hundred objects, how many have the key.
    var share: Int
  }

  /// What stands under a key, as a rule.
  enum KeyPattern: CaseIterable {
    case value, severalKindsOfValue, object, objectOfSeveralClasses, rows, rowOrRows, setOrArray
    case valueOrObject, values, anyElements, dictionary, dictionaryOfObjects, nested, anything
  }

  /// Two keys that lead to and fro.
  struct RelationPlan {
    var owner: Int
    var member: Int
    var key: String
    var backKey: String
    var isManyToMany: Bool
    var isOrdered: Bool
  }

  static let classNames = ["Note", "Tag", "Folder", "Item", "Garden.Plant"]
  static let keyNames = ["title", "n", "link", "kids", "parts", "owner", "x", "meta", "id", "$odd"]

  /// Draws a case.
  package mutating func make() -> ArchiveCase {
    noise = [0, 5, 15, 40][number(below: 4)]
    hasOddObjects = chance(15)
    let classCount = number(in: 1...4)
    for name in Self.classNames.shuffled(using: &random).prefix(classCount) {
      let names = Self.keyNames.shuffled(using: &random).prefix(number(in: 0...5))
      var plan = ClassPlan(name: name, keys: [])
      for name in names { plan.keys.append(key(named: likely(name, plan), classCount)) }
      classes.append(plan)
    }
    for place in 0..<number(in: 0...2) {
      relations.append(
        RelationPlan(
          owner: number(below: classCount), member: number(below: classCount),
          key: "many\(place)", backKey: "back\(place)", isManyToMany: chance(35),
          isOrdered: chance(60)))
    }
    var result = ArchiveCase()
    result.settings = settings()
    let fileCount = [1, 1, 2, 3, 5][number(below: 5)]
    for place in 0..<fileCount {
      var file = ArchivedFile(name: chance(20) ? "sub/f\(place).plist" : "f\(place).plist")
      file.isXML = chance(20)
      file.order = chance(60) ? 0 : random.next()
      let plan = classes
      if place > 0 { drift() }
      fill(&file)
      if file.objects.isEmpty {
        // Equal archives count as one.
        let number = Content.leaf(.integer(Int64(place)), isBoxed: false)
        file.top.append(Pair(key: "number", content: number))
      }
      classes = plan
      result.files.append(file)
    }
    divide(&result)
    return result
  }

  /// Divides the archives among two or three runs.
  private mutating func divide(_ result: inout ArchiveCase) {
    var run = 0
    for place in result.files.indices.dropFirst() {
      if run == 0 || run == 1 && chance(50) { run += chance(75) ? 1 : 0 }
      result.files[place].run = run
    }
  }

  private mutating func settings() -> CaseSettings {
    CaseSettings(
      jobs: number(in: 1...2), isDirectory: chance(40), recordsProvenance: chance(25),
      salvages: chance(10), opensNested: chance(10), startsEarly: chance(30),
      avoidsPlainRows: chance(20))
  }

  private mutating func key(named name: String, _ classCount: Int) -> KeyPlan {
    KeyPlan(
      name: name, pattern: one(of: KeyPattern.allCases),
      leaves: (0..<number(in: 1...3)).map { _ in one(of: LeafKind.allCases) },
      classes: (0..<number(in: 1...2)).map { _ in number(below: classCount) },
      share: [100, 100, 80, 50][number(below: 4)])
  }

  /// A name, now and then one that a column of another key has.
  private mutating func likely(_ name: String, _ plan: ClassPlan) -> String {
    let other = plan.keys.randomElement(using: &random)?.name ?? "back0"
    guard chance(12) else { return name }
    let endings = ["_id", "_type", "_position", "_count", "_runs", "_2"]
    let candidate = chance(15) ? other.uppercased() : other + one(of: endings)
    return plan.keys.contains { $0.name == candidate } ? name : candidate
  }

  /// Another version of the app wrote the next file.
  private mutating func drift() {
    for place in classes.indices {
      let gone = Set(classes[place].keys.map(\.name).filter { _ in chance(noise / 2) })
      classes[place].keys.removeAll { gone.contains($0.name) }
      for key in classes[place].keys.indices where chance(noise / 2) {
        classes[place].keys[key] = self.key(
          named: classes[place].keys[key].name, classes.count)
      }
      let name = likely(one(of: Self.keyNames), classes[place])
      if chance(noise), !classes[place].keys.contains(where: { $0.name == name }) {
        classes[place].keys.append(key(named: name, classes.count))
      }
    }
  }

  // MARK: Files

  private mutating func fill(_ file: inout ArchivedFile) {
    let most = chance(3) ? 40 : 6
    for plan in classes where !chance(noise) {
      for _ in 0..<number(in: 0...most) {
        file.objects.append(ArchivedObject(className: plan.name, pairs: []))
      }
    }
    for place in file.objects.indices {
      token += 1
      file.objects[place].pairs = [
        Pair(key: "tag", content: .leaf(.integer(Int64(1_000_000 + token)), isBoxed: false))
      ]
      guard let plan = classes.first(where: { $0.name == file.objects[place].className }) else {
        continue
      }
      for key in plan.keys where chance(key.share) {
        let content = chance(noise) ? noiseContent(key, &file) : content(key, &file)
        file.objects[place].pairs.append(Pair(key: key.name, content: content))
      }
    }
    for relation in relations { relate(relation, &file) }
    if hasOddObjects { addOddObjects(&file) }
    for place in file.objects.indices where chance(30) {
      file.objects[place].pairs.shuffle(using: &random)
    }
    addTop(&file)
  }

  private mutating func addTop(_ file: inout ArchivedFile) {
    var all = file.objects.indices.map { Content.object($0) }
    if chance(10), !all.isEmpty { all.removeLast() }
    switch number(below: 8) {
    case 0, 1, 2:
      file.top = [Pair(key: "root", content: add(.array, all, &file))]
    case 3, 4:
      file.top = [Pair(key: "root", content: all.first ?? value())]
      if !chance(20) {
        file.top.append(Pair(key: "all", content: add(.set, all.shuffled(using: &random), &file)))
      }
    case 5:
      let keys = all.map { _ in value(.text) }
      let number = file.collections.count
      file.collections.append(ArchivedCollection(kind: .dictionary, elements: all, keys: keys))
      file.top = [Pair(key: "root", content: .collection(number))]
    case 6:
      file.top = all.enumerated().map { Pair(key: "top \($0.offset)", content: $0.element) }
      file.top.append(Pair(key: "version", content: value()))
    default:
      file.top = [Pair(key: "rest", content: add(.orderedSet, all, &file))]
    }
    for place in 0..<(chance(30) ? number(in: 1...3) : 0) {
      let key = KeyPlan(
        name: "", pattern: one(of: KeyPattern.allCases), leaves: [one(of: LeafKind.allCases)],
        classes: [number(below: classes.count)], share: 100)
      file.top.append(Pair(key: "plain\(place)", content: content(key, &file)))
    }
    // An archiver writes an object because something refers to it: others are no archives.
    let leadsToNone = file.top.allSatisfy {
      if case .leaf(_, isBoxed: false) = $0.content { true } else { false }
    }
    guard leadsToNone, !file.top.isEmpty else { return }
    if !file.collections.isEmpty {
      file.top.append(Pair(key: "kept", content: .collection(0)))
    } else if !file.objects.isEmpty {
      file.top.append(Pair(key: "kept", content: .object(0)))
    }
  }
}
