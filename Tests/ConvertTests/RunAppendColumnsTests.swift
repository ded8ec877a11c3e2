import ArchiveWriter
import Foundation
import TestSupport
import Testing

/// A run that adds to a store finds columns there that mean something already.
@Suite("The columns of a store that is added to")
struct RunAppendColumnsTests {
  /// What friends the objects of an archive have.
  enum Friends: String, CaseIterable {
    case tags, users, both, none
  }

  private static let pairs = Friends.allCases.flatMap { first in
    Friends.allCases.map { (first, $0) }
  }

  /// Writes an archive of notes with friends.
  private func add(_ friends: Friends, _ name: String, to folder: TemporaryFolder) throws {
    try folder.add(name) { archive in
      var notes: [PropertyListValue] = []
      // Another number of rows before: the ids of tags and users differ.
      var others = ["User", "User", "Tag"].map {
        archive.instance(of: $0, [KeyValue("name", archive.string("nobody"))])
      }
      for number in 0..<4 {
        let className = [.users, .both].contains(friends) && number % 2 == 0 ? "User" : "Tag"
        let friend = archive.instance(
          of: friends == .users ? "User" : className,
          [KeyValue("name", archive.string("friend \(number) of \(name)"))])
        var keys = [KeyValue("title", archive.string("note \(number) of \(name)"))]
        if friends == .none {
          others.append(friend)
        } else {
          keys.append(KeyValue("friend", friend))
        }
        notes.append(archive.instance(of: "Note", keys))
      }
      return archive.array(others + notes)
    }
  }

  @Test(
    "lead to rows of one entity, or of several with its name beside",
    arguments: Thoroughness.some(pairs, oneIn: 3))
  func references(first: Friends, second: Friends) throws {
    let folder = try TemporaryFolder()
    try add(first, "one", to: folder)
    try add(second, "two", to: folder)
    #expect(try folder.convert("one", "-o", "out.db").status == 0)
    let before = try folder.contents(of: "out.db")
    let result = try folder.append("two", "--verify")
    let isRefused =
      switch (first, second) {
      case (.tags, .users), (.users, .tags): true
      case (.tags, .both), (.users, .both): true
      default: false
      }
    guard !isRefused else {
      let (found, needed) = (first == .tags ? "Tag" : "User", second == .tags ? "Tag" : "User")
      #expect(result.status == 2)
      #expect(
        result.errors == """
          out.db: cannot append: Note.friend_id refers to rows of \(found) there, but refers to \
          rows of \(second == .both ? "several tables" : needed) here; convert all archives into one \
          new store

          """)
      #expect(try folder.contents(of: "out.db") == before)
      return
    }
    #expect(result.status == 0)
    #expect(try folder.convert("verify", "out.db", "one", "two").status == 0)
    let store = try folder.store()
    // Where no column names the entity, the declared reference does.
    let type =
      if try store.value(
        "SELECT count(*) FROM pragma_table_info('Note') WHERE name = 'friend_type'") == "1"
      {
        "friend_type"
      } else {
        "(SELECT \"table\" FROM pragma_foreign_key_list('Note'))"
      }
    let expected = [("one", first), ("two", second)].flatMap { name, friends in
      (0..<4).map {
        "note \($0) of \(name)|\(friends == .none ? "NULL" : "friend \($0) of \(name)")"
      }
    }
    guard first != .none || second != .none else {
      try store.expect("SELECT title || '|NULL' FROM Note", expected)
      return
    }
    try store.expect(
      """
      SELECT title, CASE \(type)
        WHEN 'Tag' THEN (SELECT name FROM Tag WHERE id = friend_id)
        WHEN 'User' THEN (SELECT name FROM User WHERE id = friend_id) END FROM Note ORDER BY id
      """, expected)
    try store.expectSound()
  }

  @Test("compute numbers of decimals where an empty dictionary came first, of values of any kind")
  func decimals() throws {
    let folder = try TemporaryFolder()
    try folder.add("one") { archive in
      archive.instance(of: "Note", [KeyValue("rates", archive.dictionary([:]))])
    }
    try folder.add("two") { archive in
      let rate = try archive.decimal("1.50")
      let name = archive.string("euro")
      return archive.instance(of: "Note", [KeyValue("rates", archive.dictionary([name: rate]))])
    }
    #expect(try folder.convert("one", "-o", "out.db", "--dictionaries", "pairs").status == 0)
    #expect(try folder.append("two", "--dictionaries", "pairs", "--verify").status == 0)
    try folder.store().expect(
      "SELECT key, value, typeof(value_number), value_number FROM Note_rates",
      ["euro|1.5|real|1.5"])
    #expect(try folder.convert("verify", "out.db", "one", "two").status == 0)
  }

  @Test("keep values of one key apart from references of another, and keys apart by their case")
  func names() throws {
    let folder = try TemporaryFolder()
    try folder.add("one") { archive in
      let tag = archive.instance(of: "Tag", [KeyValue("name", archive.string("t"))])
      return archive.instance(of: "Note", [KeyValue("friend", tag), KeyValue("Rank", .integer(1))])
    }
    try folder.add("two") { archive in
      archive.instance(
        of: "Note",
        [KeyValue("friend_id", .integer(7)), KeyValue("rank", archive.string("high"))])
    }
    #expect(try folder.convert("one", "-o", "out.db").status == 0)
    #expect(try folder.append("two", "--verify").status == 0)
    try folder.store().expect(
      "SELECT friend_id, Rank, friend_id_2, rank_2 FROM Note",
      ["1|1|NULL|NULL", "NULL|NULL|7|high"])
    // What comes a second time finds the same columns.
    try folder.add("three") { archive in
      archive.instance(
        of: "Note",
        [KeyValue("rank", archive.string("low")), KeyValue("friend_id", .integer(8))])
    }
    #expect(try folder.append("three", "--verify").status == 0)
    try folder.store().expect(
      "SELECT friend_id, Rank, friend_id_2, rank_2 FROM Note WHERE id = 3", ["NULL|NULL|8|low"])
    #expect(try folder.convert("verify", "out.db", "one", "two", "three").status == 0)
  }

  @Test("are those of a whole hierarchy, whichever of its entities each run has")
  func hierarchy() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "entities: {Animal: {}, Cat: {parent: Animal}, Dog: {parent: Animal}}", to: "m.yaml")
    let runs = [
      ("one", ["Cat", "Dog"]), ("two", ["Animal"]), ("three", ["Dog", "Animal", "Cat"]),
    ]
    for (name, classes) in runs {
      try folder.add(name) { archive in
        archive.array(
          classes.map { className in
            archive.instance(
              of: className,
              [
                KeyValue("age", .integer(Int64(className.utf8.count))),
                KeyValue("name", archive.string("\(className) of \(name)")),
              ])
          })
      }
      #expect(try folder.append(name, "--mapping", "m.yaml", "--verify").status == 0)
    }
    let store = try folder.store()
    try store.expect(
      "SELECT name FROM pragma_table_info('Animal')", ["id", "_entity", "age", "name"])
    try store.expect("SELECT age, name FROM Cat", ["3|Cat of one", "3|Cat of three"])
    try store.expect("SELECT age, name FROM Dog", ["3|Dog of one", "3|Dog of three"])
    try store.expect("SELECT count(*), count(age) FROM Animal", ["6|6"])
    #expect(
      try folder.convert("verify", "out.db", "one", "two", "three", "--mapping", "m.yaml").status
        == 0)
  }

  @Test(
    "are shown by views with the rows of all runs, also of subentities that one run does not know")
  func views() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "entities: {Pet: {abstract: true}, Cat: {parent: Pet}, Tom's: {parent: Cat, from: Tom}}",
      to: "one.yaml")
    try folder.write("entities: {Pet: {abstract: true}, Cat: {parent: Pet}}", to: "two.yaml")
    for name in ["one", "two"] {
      try folder.add(name) { archive in
        archive.array(
          (name == "one" ? ["Cat", "Tom"] : ["Cat"]).map { className in
            archive.instance(
              of: className, [KeyValue("\(name)Name", archive.string("\(className) of \(name)"))])
          })
      }
      #expect(try folder.append(name, "--mapping", "\(name).yaml", "--verify").status == 0)
    }
    let store = try folder.store()
    try store.expect(
      "SELECT coalesce(oneName, twoName) FROM Cat", ["Cat of one", "Tom of one", "Cat of two"])
    #expect(try folder.convert("verify", "out.db", "one", "two").status == 0)
  }

  /// What the boxes of an archive hold.
  enum Boxes: String, CaseIterable {
    case filled, filledAndEmpty, filledAndNone, all

    /// How many items each box has; nil for a box without a list.
    var counts: [Int?] {
      switch self {
      case .filled: [2, 1]
      case .filledAndEmpty: [2, 0]
      case .filledAndNone: [1, nil]
      case .all: [1, 0, nil]
      }
    }

    var areCounted: Bool { self == .all }
  }

  private static let boxes = Boxes.allCases.flatMap { first in
    Boxes.allCases.flatMap { second in [false, true].map { (first, second, $0) } }
  }

  @Test(
    "tell empty collections from none in all runs from the first that does",
    arguments: Thoroughness.some(boxes, oneIn: 3))
  func counts(first: Boxes, second: Boxes, areRows: Bool) throws {
    let folder = try TemporaryFolder()
    for (name, boxes) in [("one", first), ("two", second)] {
      try folder.add(name) { archive in
        archive.array(
          boxes.counts.enumerated().map { number, count in
            let items = count.map { count in
              archive.array(
                (0..<count).map { item in
                  let text = archive.string("\(name) \(number) \(item)")
                  return areRows ? archive.instance(of: "Item", [KeyValue("text", text)]) : text
                })
            }
            return archive.instance(
              of: "Box",
              [KeyValue("number", .integer(Int64(number)))]
                + (items.map { [KeyValue("items", $0)] } ?? []))
          })
      }
    }
    #expect(try folder.convert("one", "-o", "out.db", "--verify").status == 0)
    #expect(try folder.append("two", "--verify").status == 0)
    #expect(try folder.convert("verify", "out.db", "one", "two").status == 0)
    let store = try folder.store()
    guard first.areCounted || second.areCounted else {
      try store.expect("SELECT name FROM pragma_table_info('Box')", ["id", "number"])
      return
    }
    let before = first.counts.map { first.areCounted ? $0 : nil }
    try store.expect(
      "SELECT items_count FROM Box ORDER BY id",
      (before + second.counts).map { $0.map { "\($0)" } ?? "NULL" })
  }

  @Test("keep a key that is named like the count of a collection apart from it, whichever is first")
  func countsAndKeys() throws {
    let folder = try TemporaryFolder()
    func add(_ name: String, counted: Bool, key: Bool) throws {
      try folder.add(name) { archive in
        archive.array(
          [[archive.string(name)], [], nil].map { items in
            var keys: [KeyValue] = []
            if let items, counted { keys.append(KeyValue("items", archive.array(items))) }
            if key { keys.append(KeyValue("items_count", .integer(9))) }
            return archive.instance(of: "Box", keys)
          })
      }
    }
    // The names say what each archive holds.
    try add("count", counted: true, key: false)
    try add("key", counted: false, key: true)
    try add("both", counted: true, key: true)
    for order in [["count", "key", "both"], ["key", "count", "both"], ["both", "key", "count"]] {
      try? FileManager.default.removeItem(atPath: folder.file(named: "out.db"))
      for name in order { #expect(try folder.append(name, "--verify").status == 0) }
      #expect(try Program.run(["verify", "out.db"] + order, in: folder.path).status == 0)
      let (count, key) =
        order[0] == "count" ? ("items_count", "items_count_2") : ("items_count_2", "items_count")
      let rows = [
        "count": ["1|NULL", "0|NULL", "NULL|NULL"], "key": ["NULL|9", "NULL|9", "NULL|9"],
        "both": ["1|9", "0|9", "NULL|9"],
      ]
      try folder.store().expect(
        "SELECT \(count), \(key) FROM Box ORDER BY id", order.flatMap { rows[$0] ?? [] })
    }
  }

  @Test("keep the positions of earlier rows, whichever reference leads back in a later run")
  func positions() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      entities:
        Item:
          complete: true
          attributes: {tag: {type: integer}}
          relationships:
            parts: {to: Item, toMany: true, ordered: true}
            whole: {to: Item, toMany: false}
            owner: {to: Item, toMany: false}
      """, to: "m.yaml")
    for (name, back) in [("one", "whole"), ("two", "owner")] {
      try folder.add(name) { archive in
        let whole = archive.reserve()
        let part = archive.instance(
          of: "Item", [KeyValue("tag", .integer(2)), KeyValue(back, whole.reference)])
        archive.fill(
          whole, className: "Item",
          [KeyValue("tag", .integer(1)), KeyValue("parts", archive.array([part]))])
        return part
      }
      #expect(try folder.append(name, "--mapping", "m.yaml", "--verify").status == 0)
    }
    #expect(try folder.convert("verify", "out.db", "one", "two").status == 0)
    try folder.store().expect(
      "SELECT tag, parts_position FROM Item WHERE tag = 2", ["2|0", "2|0"])
  }
}
