import ArchiveReader
import ArchiveWriter
import Foundation
import Testing

@Suite("The elements of collections")
struct ElementClassTests {
  /// What a way to decode the key "key" gives.
  private func found<Value>(
    _ value: (inout KeyedArchiveBuilder) throws -> PropertyListValue,
    _ decode: (KeyedCoder) throws -> Value
  ) throws -> String {
    var options = UnarchivingOptions(types: [Leaf.self])
    options.substitute = { _ in .value(.array([.text("x"), .integer(1)])) }
    return try Probe.with(options) { ["key": try value(&$0)] }.outcome(decode)
  }

  private func array(
    of classes: [AllowedClass],
    _ value: (inout KeyedArchiveBuilder) throws -> PropertyListValue
  ) throws -> String {
    try found(value) { coder in
      try coder.decodeArrayOfObjects(ofClasses: classes, forKey: "key").map {
        $0.map(\.text).joined(separator: " ")
      }
    }
  }

  @Test("of an array are of the classes asked for, and arrays only if they are among them")
  func arrays() throws {
    #expect(try array(of: ["NSString"]) { $0.array(["x", "y"]) } == "'x' 'y'")
    #expect(try array(of: ["NSString"]) { $0.array([]) } == "")
    #expect(try array(of: ["NSString"]) { _ in .none } == "nil")
    #expect(
      try array(of: ["NSString"]) { $0.array([$0.array(["x"]), "y"]) } == "!classNotAllowed")
    #expect(
      try array(of: ["NSString", "NSArray"]) { $0.array([$0.array(["x"]), "y"]) } == "['x'] 'y'")
    #expect(
      try array(of: ["NSArray"]) { $0.array([$0.array(["x"])]) } == "!classNotAllowed")
    #expect(try array(of: ["NSString"]) { $0.array(["x", 1]) } == "!classNotAllowed")
    #expect(try array(of: ["NSString"]) { $0.array(["x", .none]) } == "!nilElement")
    #expect(try array(of: ["NSString"]) { $0.set(["x"]) } == "!wrongKind")
    #expect(try array(of: ["NSString"]) { $0.string("x") } == "!wrongKind")
    #expect(
      try array(of: [.type(Leaf.self)]) { $0.array([$0.instance(of: "Garden.Plant.Leaf")]) }
        == "Leaf")
    // What the program itself puts in the place of an object is as the program wants it.
    #expect(try array(of: ["NSString"]) { $0.instance(of: "Stone") } == "'x' 1")
  }

  @Test("of a type are objects of that type")
  func objects() throws {
    func leaves(
      _ value: (inout KeyedArchiveBuilder) throws -> PropertyListValue
    ) throws -> String {
      try found(value) { coder in
        try coder.decodeArrayOfObjects(of: Leaf.self, forKey: "key").map { $0.map(\.name) }
      }
    }
    #expect(
      try leaves { $0.array([$0.instance(of: "Garden.Plant.Leaf", ["name": $0.string("l")])]) }
        == "[\"l\"]")
    #expect(try leaves { $0.array([$0.array([])]) } == "!classNotAllowed")
    #expect(try leaves { $0.array([.none]) } == "!nilElement")
    #expect(try leaves { $0.array([$0.instance(of: "Stone")]) } == "!wrongKind")
  }

  @Test("of a dictionary are of the classes asked for, keys and values apart")
  func dictionaries() throws {
    func pairs(
      _ keys: [AllowedClass], _ values: [AllowedClass],
      _ value: (inout KeyedArchiveBuilder) throws -> PropertyListValue
    ) throws -> String {
      try found(value) { coder in
        try coder.decodeDictionary(
          withKeysOfClasses: keys, objectsOfClasses: values, forKey: "key"
        ).map { pairs in
          pairs.map { "\($0.key.text)=\($0.value.text)" }.joined(separator: " ")
        }
      }
    }
    #expect(
      try pairs(["NSString"], ["NSNumber"]) { $0.dictionary(["a": 1, "b": true]) }
        == "'a'=1 'b'=true")
    #expect(
      try pairs(["NSString"], ["NSNumber"]) { $0.dictionary(["a": "b"]) } == "!classNotAllowed")
    #expect(try pairs(["NSString"], ["NSString"]) { $0.dictionary([1: "b"]) } == "!classNotAllowed")
    #expect(
      try pairs(["NSString"], ["NSString"]) { $0.dictionary(["a": $0.array(["b"])]) }
        == "!classNotAllowed")
    #expect(
      try pairs(["NSString"], ["NSArray", "NSString"]) { $0.dictionary(["a": $0.array(["b"])]) }
        == "'a'=['b']")
    #expect(try pairs(["NSString"], ["NSString"]) { $0.array([]) } == "!wrongKind")
    #expect(try pairs([], []) { _ in .none } == "nil")
  }

  @Test("of a Swift type are whatever the type can be made of")
  func converted() throws {
    let decimals = try found({ $0.array([try $0.decimal("1.5"), 2]) }) { coder in
      try coder.decodeArray(of: Decimal.self, forKey: "key")
    }
    #expect(decimals == "[1.5, 2]")
    for isSet in [false, true] {
      let nested = try found({ archive in
        let inner = archive.array(["x"])
        return isSet ? archive.set([inner]) : archive.orderedSet([inner])
      }) { try $0.decodeArray(of: String.self, forKey: "key") }
      #expect(nested == "!wrongKind")
    }
  }
}
