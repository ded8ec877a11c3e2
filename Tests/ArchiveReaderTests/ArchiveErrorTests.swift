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
      (.outOfMemory, "memory is exhausted"),
      (.truncated, "the binary property list is cut off #"),
      (.damagedTrailer, "the trailer of the binary property list is damaged: #"),
      (
        .damagedLineEnds, "the binary property list was damaged by a line-end conversion: #"
      ),
      (.offsetOutOfBounds, "an entry of the offset table points outside of the objects"),
      (.wrongOffset, "an entry of the offset table points to a wrong place; it was corrected"),
      (.unknownMarker, "the object is of an unknown kind"),
      (.objectOutOfBounds, "the object reaches past the end of the objects"),
      (
        .referenceOutOfBounds,
        "the object refers to an entry that the offset table does not have"
      ),
      (.stringNotASCII, "a string marked as ASCII holds other bytes"),
      (.keyNotAString, "a dictionary key is not a string"),
      (.oversizedUID, "a UID is larger than 32 bits"),
      (.overlappingObjects, "the objects overlap each other"),
      (.malformedXML, "the XML is not well formed: #"),
      (.truncatedXML, "the XML ends too early; #"),
      (
        .longMarkup,
        "a tag, declaration or entity is longer than any of a property list"
      ),
      (.entityDeclared, "the XML declares an entity, which a property list never does"),
      (.unexpectedElement, "the element <#> is not allowed here"),
      (.unexpectedText, "text stands where only elements are allowed"),
      (.badNumber, "an <#> does not hold a number"),
      (.badDate, "a <date> does not hold a date"),
      (.badData, "a <data> does not hold base64"),
      (.missingValue, "a <key> has no value"),
      (.noValue, "the property list holds no value"),
      (.missingArchiver, "is not a sound keyed archive: it has no $archiver that is a string"),
      (.missingVersion, "is not a sound keyed archive: it has no $version that is a number"),
      (.missingObjects, "is not a sound keyed archive: it has no $objects that is an array"),
      (.missingTop, "is not a sound keyed archive: it has no $top that is a dictionary"),
      (.unsupportedVersion, "the archive is of version #, which is not supported"),
      (.danglingReference, "refers to object #, which the archive does not have"),
      (.noClassRecord, "the object's $class does not lead to a class record"),
      (.noClassName, "the class record has no $classname that is a string"),
      (.badClassHierarchy, "the class record's $classes is not an array of strings"),
      (.badCollection, "the collection is damaged: #"),
      (.badObject, "the entry of $objects is of a kind that no archiver writes"),
      (.repeatedKey, "the object has a key twice"),
      (.tooDeep, "nesting is deeper than the limit of # levels"),
      (.tooMany, "the file holds more entries than the limit of #"),
      (
        .expansion,
        "shared values would grow to more than the limit of # times the file's size"
      ),
      (
        .tooManyAttributes,
        "an element has attributes in great number, which a property list never has"
      ),
      (.unknownEncoding, "the XML is in an encoding that is not supported: #"),
    ] as [(ArchiveError.Code, String)])
  func sayWhatIsWrong(code: ArchiveError.Code, words: String) {
    let text = words.replacing("#", with: "NAME")
    #expect(ArchiveError(code, name: "NAME").description == text)
    #expect(ArchiveError(code, at: .byte(7), name: "NAME").description == "\(text) (byte 7)")
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
