import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("Archived collections")
struct ArchivedCollectionTests {
  static let lists = [
    ArchivedForm("an array", "array('a', 7, nil)") { $0.array(["a", 7, .none]) },
    ArchivedForm("an empty array", "array()") { $0.mutableArray([]) },
    ArchivedForm("a set", "set('a', 'b')") { $0.set(["a", "b"]) },
    ArchivedForm("an empty mutable set", "set()") { $0.mutableSet([]) },
    ArchivedForm("an ordered set with numbered keys", "orderedSet('a', 'b')") {
      $0.orderedSet(["a", "b"])
    },
    ArchivedForm("an ordered set with one list", "orderedSet('a')") {
      $0.instance(of: "NSMutableOrderedSet", ["NS.objects": [$0.string("a")]])
    },
    ArchivedForm("an array with numbered keys", "array('a', nil, 'c')") {
      $0.numberedArray(["a", .none, "c"])
    },
    ArchivedForm("a set with numbered keys", "set('a')") {
      $0.numberedArray(["a"], className: "NSMutableSet")
    },
    ArchivedForm("no numbered keys at all", "array()") { $0.instance(of: "NSArray") },
    ArchivedForm("elements in their place", "array('a', 7, <01>, array(true))") {
      $0.instance(of: "NSArray", ["NS.objects": ["a", 7, .data(Data([1])), [true]]])
    },
    ArchivedForm(
      "numbered keys that are out of order in the file",
      "orderedSet(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)"
    ) {
      let order = [3, 11, 0, 10, 1, 2, 9, 8, 7, 4, 6, 5]
      let pairs = order.map { KeyValue("NS.object.\($0)", .integer(Int64($0))) }
      return $0.instance(of: "NSOrderedSet", pairs)
    },
    ArchivedForm("collections in each other", "array(set(array('a')), dictionary('k': array()))") {
      let dictionary = $0.dictionary(["k": $0.array([])])
      return $0.array([$0.set([$0.array(["a"])]), dictionary])
    },
    ArchivedForm("one array twice", "array(array('a'), array('a'))") {
      let shared = $0.array(["a"])
      return $0.array([shared, shared])
    },
    ArchivedForm("an array in itself", "array(array(array(array(array(array(array(array(…))))))))")
    {
      let slot = $0.reserve()
      return $0.fill(slot, className: "NSArray", ["NS.objects": [slot.reference]])
    },
  ]

  static let pairs = [
    ArchivedForm("a dictionary", "dictionary('a': 1, 'b': nil)") {
      $0.dictionary(["a": 1, "b": .none])
    },
    ArchivedForm("an empty dictionary", "dictionary()") {
      $0.dictionary([:], className: "NSMutableDictionary")
    },
    ArchivedForm("keys that are not strings", "dictionary(1: 'a', Note#2: 'b', array(true): 'c')") {
      let slot = $0.reserve()
      let note = $0.instance(of: "Note")
      let keys: [PropertyListValue] = [$0.number(1), note, $0.array([true])]
      let values = [$0.string("a"), $0.string("b"), $0.string("c")]
      let content: KeyValuePairs<String, PropertyListValue> = [
        "NS.keys": .array(keys), "NS.objects": .array(values),
      ]
      return $0.fill(slot, className: "NSDictionary", content)
    },
    ArchivedForm("a key twice", "dictionary('a': 1, 'a': 2)") {
      $0.dictionary(keys: ["a", "a"], values: [1, 2])
    },
    ArchivedForm(
      "numbered keys, out of order", "dictionary('a': 1, 'b': 2)", "NSMutableDictionary",
      ["NS.object.1": 2, "NS.key.0": "a", "NS.key.1": "b", "NS.object.0": 1]),
    ArchivedForm("no numbered keys at all", "dictionary()", "NSDictionary", [:]),
    ArchivedForm("a counted set", "countedSet('a': 2, 7: 1)") {
      $0.countedSet([("a", 2), (7, 1)])
    },
    ArchivedForm("an empty counted set", "countedSet()", "NSCountedSet", ["NS.count": 0]),
    ArchivedForm(
      "a counted set out of order and without its count", "countedSet('a': 1, 'b': 2)",
      "NSCountedSet", ["NS.count1": 2, "NS.object1": "b", "NS.object0": "a", "NS.count0": 1]),
  ]

  static let bare = [
    ArchivedForm("a bare array", "array('a', 7, array(), nil)") {
      $0.add(["a", $0.number(7), [], .none])
    },
    ArchivedForm("a bare dictionary", "dictionary('a': 1, 'b': dictionary('c': true))") {
      $0.add(["a": 1, "b": ["c": true]])
    },
    ArchivedForm("a bare set", "set(1, 2)") { $0.add(.set([1, 2])) },
    ArchivedForm("a dictionary in its place", "dictionary('$class': 'x')") { _ in ["$class": "x"] },
    ArchivedForm("a bare array behind references", "array(1)") { $0.add($0.add([1])) },
  ]

  @Test("are read in every form", arguments: lists + pairs + bare)
  func reads(form: ArchivedForm) throws {
    let (text, reader) = try form.read()
    #expect(text == form.text)
    #expect(reader.misfitNames == [])
  }

  @Test("are refused where there are no elements")
  func refusesOtherValues() throws {
    var builder = KeyedArchiveBuilder()
    builder.setTop("root", builder.string("a"))
    _ = builder.instance(of: "Note", ["a": 1])
    let reader = try KeyedArchive(bytes: builder.binary()).makeGraph(
      GraphOptions(readsFoundationValues: false))
    #expect(throws: ArchiveError(.badCollection, name: "its elements are missing")) {
      try reader.elements(of: .object(1), .array)
    }
    #expect(
      throws: ArchiveError(
        .badCollection, at: .object(2, key: nil), name: "its keys do not fit")
    ) { try reader.elements(of: .object(2), .array) }
    #expect(throws: ArchiveError(.danglingReference, name: "9")) {
      try reader.elements(of: .object(9), .array)
    }
  }
}
