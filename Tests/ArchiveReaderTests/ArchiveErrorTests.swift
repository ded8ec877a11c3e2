import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Errors")
struct ArchiveErrorTests {
  @Test(
    "say what is wrong",
    arguments: [
      (.unreadable, "cannot be read: #"),
      (.empty, "is empty"),
      (.notAnArchive, "is not a keyed archive: it is #"),
      (.outOfMemory, "out of memory"),
      (.truncated, "the binary property list is truncated #"),
      (.damagedTrailer, "the trailer of the binary property list is damaged: #"),
      (
        .damagedLineEnds, "the binary property list was damaged by line-ending conversion: #"
      ),
      (.offsetOutOfBounds, "an entry of the offset table points outside the objects"),
      (.wrongOffset, "an entry of the offset table was wrong and has been corrected"),
      (.unknownMarker, "the object has an unknown type"),
      (.objectOutOfBounds, "the object extends past the end of the objects"),
      (
        .referenceOutOfBounds,
        "the object refers to an entry that is not in the offset table"
      ),
      (.stringNotASCII, "a string marked as ASCII has non-ASCII bytes"),
      (.keyNotAString, "a dictionary key is not a string"),
      (.oversizedUID, "a UID is larger than 32 bits"),
      (.overlappingObjects, "objects overlap"),
      (.malformedXML, "the XML is not well-formed: #"),
      (.truncatedXML, "the XML ends unexpectedly; #"),
      (
        .longMarkup,
        "a tag, declaration or entity is too long for a property list"
      ),
      (.entityDeclared, "the XML declares an entity; property lists declare none"),
      (.unexpectedElement, "the element <#> is not allowed here"),
      (.unexpectedText, "text is not allowed here, only elements"),
      (.badNumber, "<#> does not contain a number"),
      (.badDate, "<date> does not contain a valid date"),
      (.badData, "<data> does not contain valid base64"),
      (.missingValue, "a <key> has no value"),
      (.noValue, "the property list has no value"),
      (.damagedTypedstream, "the typedstream is damaged: #"),
      (.unsupportedType, "values of the type # cannot be read"),
      (
        .textNotUTF8,
        "the text is not valid UTF-8 and was read in the encoding of NeXTSTEP: it may be wrong"
      ),
      (.missingArchiver, "not a valid keyed archive: $archiver is missing or is not a string"),
      (.missingVersion, "not a valid keyed archive: $version is missing or is not a number"),
      (.missingObjects, "not a valid keyed archive: $objects is missing or is not an array"),
      (.missingTop, "not a valid keyed archive: $top is missing or is not a dictionary"),
      (.noReference, "not a valid keyed archive: nothing under $top refers to one of its objects"),
      (.unsupportedVersion, "archive version # is not supported"),
      (.danglingReference, "refers to object #, which does not exist"),
      (.noClassRecord, "the object's $class does not refer to a class record"),
      (.noClassName, "the class record's $classname is missing or is not a string"),
      (.badClassHierarchy, "the class record's $classes is not an array of strings"),
      (.badCollection, "the collection is damaged: #"),
      (.badObject, "the entry of $objects has a type that no archiver writes"),
      (.repeatedKey, "the object has a duplicate key"),
      (.tooDeep, "nesting is deeper than the limit of # levels"),
      (.tooMany, "the file holds more entries than the limit of #"),
      (
        .expansion,
        "values would expand to more than the limit of # times the file's size"
      ),
      (
        .tooManyAttributes,
        "an element has too many attributes; property lists use none"
      ),
      (.unknownEncoding, "unsupported XML encoding: #"),
    ] as [(ArchiveError.Code, String)])
  func sayWhatIsWrong(code: ArchiveError.Code, words: String) {
    let text = words.replacing("#", with: "NAME")
    #expect(ArchiveError(code, name: "NAME").description == text)
    // What a file is concerns the whole of it.
    let place = code == .notAnArchive ? "" : " (byte 7)"
    #expect(ArchiveError(code, at: .byte(7), name: "NAME").description == text + place)
    #expect(!ArchiveError(code).description.contains("nil"))
  }

  @Test(
    "say where it is",
    arguments: [
      (.byte(0), "byte 0"), (.line(3, column: 14), "line 3, column 14"),
      (.line(3, column: 0), "line 3"),
      (.object(9, key: "a key"), "object 9, key a key"), (.object(9, key: nil), "object 9"),
      (.topLevel, "top level of the property list"), (.topLevelKey("root"), "top-level key root"),
    ] as [(ArchiveError.Position, String)])
  func sayWhere(position: ArchiveError.Position, words: String) {
    #expect(position.description == words)
    #expect(ArchiveError(.empty, at: position).description == "is empty (\(words))")
  }

  @Test("call a system error by its name")
  func namesSystemErrors() {
    let error = #expect(throws: ArchiveError.self) { try PropertyList(contentsOf: "/no/such/file") }
    #expect(error?.description == "cannot be read: No such file or directory")
  }

  /// An archive full of a secret: in texts, data, wrapped values and keys of dictionaries.
  private func secretArchive() throws -> KeyedArchiveBuilder {
    KeyedArchiveBuilder.archive { archive in
      let secret = archive.string("SECRET")
      let url = archive.url("SECRET", base: .uid(4_000_000))
      let wrapped = archive.instance(
        of: "NSDate", ["NS.time": "SECRET", "NS.zone": .data(Data("SECRET".utf8))])
      let dictionary = archive.dictionary(keys: [secret], values: [.uid(4_000_000)])
      return archive.instance(
        of: "Note",
        [
          "a": secret, "b": url, "c": wrapped, "d": dictionary,
          "e": archive.mutableString("SECRET"),
        ])
    }
  }

  @Test("never hold what the document holds")
  func keepSecrets() throws {
    let builder = try secretArchive()
    var errors: [ArchiveError] = []
    func collect(_ bytes: some Collection<UInt8>) {
      errors += ArchiveWalk(bytes).errors
    }
    let binary = Array(builder.binary())
    #expect(binary.contains(Array("SECRET".utf8)))
    collect(binary)
    for length in 0..<binary.count { collect(binary[..<length]) }
    let xml = try builder.xml()
    collect(xml)
    for length in 0..<xml.count { collect(xml[..<length]) }
    for element in [
      "<integer>SECRET</integer>", "<real>SECRET</real>", "<date>SECRET</date>",
      "<data>*SECRET*</data>", "<SECRET/>", "SECRET", "<string>&SECRET;</string>",
      "<dict>SECRET</dict>", "<array><key>SECRET</key></array>", "<dict><key>SECRET</key></dict>",
      "<string>SECRET</integer>", "<string SECRET>",
    ] {
      let before = errors.count
      collect(XMLPropertyListTests.document(element).utf8)
      #expect(errors.count > before, "\(element)")
    }
    #expect(errors.count > 1_000)
    #expect(errors.filter { "\($0)\(String(reflecting: $0))".contains("SECRET") } == [])
  }
}
