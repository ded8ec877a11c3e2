import ArchiveReader
import GraphTesting
import TestSupport
import Testing

@Suite("Faulty typedstreams")
struct FaultyTypedstreamTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var error: String
    var bytes: [UInt8]

    /// A stream of one group.
    init(
      _ name: String, _ error: String, _ write: (inout TypedstreamWriter) -> Void
    ) {
      self.init(name, error, bytes: .stream(write))
    }

    init(_ name: String, _ error: String, bytes: [UInt8]) {
      (testDescription, self.error, self.bytes) = (name, error, bytes)
    }
  }

  private static let end = "it ends before a value does"
  private static let elsewhere = "a reference leads to something else"
  private static let nowhere = "a reference leads nowhere"

  // The header takes 16 bytes, and a type of one letter three more.
  private static let cases = [
    Case("a header that ends", "\(end) (byte 1)", bytes: [4, 11, 0x73]),
    Case("another signature", "it has no signature (byte 2)", bytes: [4, 2, 0x73, 0x74, 0]),
    Case(
      "another version", "its version is 9 (byte 0)", bytes: TypedstreamWriter(version: 9).bytes),
    Case("an end without an object", "a number has the mark 86 (byte 16)") { $0.raw(0x86) },
    Case("a group that ends", "\(end) (byte 19)") { $0.group("i") },
    Case("a number that ends", "\(end) (byte 20)") { $0.group("i") { $0.raw(0x82, 0, 0, 0) } },
    Case("a mark of nothing", "a number has the mark 88 (byte 19)") {
      $0.group("i") { $0.raw(0x88) }
    },
    Case("something new that should be a number", "a number has the mark 84 (byte 19)") {
      $0.group("i") { $0.raw(0x84) }
    },
    Case("a real that should be a number", "a number has the mark 83 (byte 19)") {
      $0.group("i") { $0.float(0.5) }
    },
    Case("a boolean of two", "a boolean is neither 0 nor 1 (byte 19)") { $0.group("B", 2) },
    Case("a length below zero", "a length is below zero (byte 19)") { $0.group("+", -1) },
    Case("a length beyond the file", "\(end) (byte 19)") { $0.group("+", 2_147_483_647) },
    Case("a length of 64 bits", "\(end) (byte 19)") { $0.group("+", .max) },
    Case("a string that does not exist", "\(nowhere) (byte 16)") { $0.reference(0) },
    Case("a reference below all", "a number has the mark 91 (byte 16)") { $0.raw(0x91) },
    Case("a reference beyond 64 bits", "\(nowhere) (byte 16)") { $0.integer(.max) },
    Case("an object that does not exist", "\(nowhere) (byte 19)") {
      $0.group("@") { $0.reference(0) }
    },
    Case("a C string that is an object", "\(elsewhere) (byte 42)") { writer in
      writer.group("@") { $0.object("C#0") }
      writer.group("*") { $0.reference(0) }
    },
    Case("an object that is a C string", "\(elsewhere) (byte 26)") { writer in
      writer.group("*") { $0.cString("a") }
      writer.group("@") { $0.reference(0) }
    },
    Case("a class that is an object", "\(elsewhere) (byte 41)") { writer in
      writer.group("@") { $0.object("C#0") }
      writer.group("@") { $0.raw(0x84, 0x92) }
    },
    Case("a class that is its own superclass", "\(elsewhere) (byte 24)") { writer in
      writer.group("#") { $0.raw(0x84, 0x84, 1, 0x43, 0, 0x92) }
    },
    Case("an object without a class", "an object has no class (byte 19)") {
      $0.group("@") { $0.raw(0x84, 0x85) }
    },
    Case("a class without a name", "a class has no name (byte 20)") {
      $0.group("@") { $0.raw(0x84, 0x84, 0x85) }
    },
    Case("a class with a very long name", "the name of a class is too long (byte 20)") {
      $0.group("@") { $0.begin(["\(String(repeating: "C", count: 4_097))#0"]) }
    },
    Case("an object without an end", "\(end) (byte 38)") { writer in
      writer.group("@") { $0.begin(["C#0"]) }
    },
    Case("a type that is missing", "a type is missing (byte 16)") { $0.null() },
    Case("an empty type", "a type stands for no values (byte 16)") { $0.group("") },
    Case("a structure without an end", "a type is incomplete (byte 16)") { $0.group("{p=ff") },
    Case("an end of a structure alone", "a type is incomplete (byte 16)") { $0.group("f}") },
    Case("brackets that cross", "a type is incomplete (byte 16)") { $0.group("[2{i]}") },
    Case("an array without a type", "a type is incomplete (byte 16)") { $0.group("[3]") },
    Case("an array of two types", "a type is incomplete (byte 16)") { $0.group("[3ii]") },
    Case("an array without a count", "a type is incomplete (byte 16)") { $0.group("[i]") },
    Case("a count beyond 64 bits", "a type is incomplete (byte 16)") {
      $0.group("[99999999999999999999i]")
    },
    Case("an array beyond the file", "\(end) (byte 31)") { $0.group("[2000000000i]") },
    Case("bytes beyond the file", "\(end) (byte 31)") { $0.group("[2000000000c]") },
    Case("arrays in arrays beyond 64 bits", "\(end) (byte 61)") {
      $0.group("[9000000000000000000[9000000000000000000i]]")
    },
    Case("an array of values without bytes", "a type stands for no values (byte 16)") {
      $0.group("[2000000000!]")
    },
    Case("arrays in arrays without bytes", "a type stands for no values (byte 16)") {
      $0.group("[99[99{x=!}]]")
    },
    Case("a number too large for its type", "the number does not fit its type (byte 19)") {
      $0.group("s", 70_000)
    },
    Case("a number too small for its type", "the number does not fit its type (byte 19)") {
      $0.group("I", -3_000_000_000)
    },
  ]

  @Test("are refused with the place of the mistake", arguments: cases)
  func refuses(one: Case) throws {
    let error = try #require(throws: ArchiveError.self) {
      try PropertyList(typedstream: ByteStorage(one.bytes))
    }
    let prefix = error.code == .damagedTypedstream ? "the typedstream is damaged: " : ""
    #expect("\(error)" == prefix + one.error)
  }

  @Test(
    "are refused where a type is not known, with the type, the class and the group",
    arguments: ["b3", "^v", "(u=if)", "?", "{x=i^v}", "j"])
  func unsupported(type: String) throws {
    for isInObject in [false, true] {
      let bytes: [UInt8] = .stream { writer in
        guard isInObject else { return writer.group(type) }
        writer.group("@") { writer in
          writer.object("Note#2") { writer in
            writer.group("i", 1)
            writer.group(type)
          }
        }
      }
      let error = try #require(throws: ArchiveError.self) {
        try PropertyList(typedstream: ByteStorage(bytes))
      }
      let place = isInObject ? "group 2 of Note#2" : "top-level group 1"
      let offset = isInObject ? 45 : 16
      #expect(
        "\(error)" == "values of the type \(type) in \(place) cannot be read (byte \(offset))")
    }
  }

  @Test("are refused wherever they end")
  func cut() throws {
    let bytes: [UInt8] = .stream { writer in
      writer.group("@") { writer in
        writer.collection("NSArray", 2, of: [{ $0.string("text") }, { $0.nsNumber(300) }])
      }
    }
    _ = try TypedstreamContent(bytes)
    // A header without groups is a stream.
    for end in 0..<bytes.count where end != 16 {
      let error = #expect(throws: ArchiveError.self) {
        try PropertyList(typedstream: ByteStorage(bytes.prefix(end)))
      }
      guard case .byte(let offset)? = error?.position else {
        Issue.record("\(end): no place")
        continue
      }
      #expect(offset <= end)
    }
  }

  @Test("use no stack, and no more memory than they may")
  func bombs() throws {
    func error(_ bytes: [UInt8]) -> ArchiveError? {
      #expect(throws: ArchiveError.self) { try PropertyList(typedstream: ByteStorage(bytes)) }
    }
    let deep = String(repeating: "{?=", count: 50_000) + "i"
    #expect(error(.stream { $0.group(deep) })?.limit == .depth)
    // Structures take no bytes of their own.
    let empty = String(repeating: "{x=!}", count: 1_000)
    let groups: [UInt8] = .stream { writer in (0..<6_000).forEach { _ in writer.group(empty) } }
    #expect(error(groups)?.code == .expansion)
    let classes = (0..<600).map { "C\($0)#0" }
    #expect(error(.stream { $0.group("#") { $0.class(classes) } })?.limit == .depth)
  }

  @Test("never trap, whatever is changed in them")
  func mutations() throws {
    let bytes: [UInt8] = .stream { writer in
      writer.group("@") { writer in
        writer.collection(
          "NSDictionary", 2,
          of: [
            { $0.string("a") }, { $0.data([1, 2, 3]) }, { $0.string("b") },
            { writer in
              writer.object("Note#2") { writer in
                writer.group("i", 2)
                writer.group("cff") { $0.raw(0, 1, 2) }
                writer.group("[2{?=si}]") { $0.integers(1, 2, 3, 4) }
                writer.group("*") { $0.cString("x") }
              }
            },
          ])
      }
    }
    var read = 0
    let values =
      [0, 1, 2, 3, 0x40, 0x7F] + Array(0x80...0x88 as ClosedRange<UInt8>) + [0x92, 0xFF]
    for place in bytes.indices {
      for value in values {
        var changed = bytes
        changed[place] = value
        guard let list = try? PropertyList(typedstream: ByteStorage(changed)) else { continue }
        read += 1
        let archive = try KeyedArchive(list)
        #expect(checkGraph(archive) == [])
      }
    }
    #expect(read > 100)
  }
}
