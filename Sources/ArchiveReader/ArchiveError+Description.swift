extension ArchiveError: CustomStringConvertible {
  /// The error in words, with its place in brackets: `what is wrong (where)`.
  public var description: String {
    let words = limit.map { "\(sentence), which --limit \($0.rawValue)=N raises" } ?? sentence
    guard let position else { return words }
    return "\(words) (\(position))"
  }

  private var sentence: String {
    switch code {
    case .unreadable: "cannot be read: \(name ?? "unknown error")"
    case .empty: "is empty"
    case .notAnArchive: "is not a keyed archive: it is \(name ?? "of an unknown kind")"
    case .outOfMemory: "memory is exhausted"

    case .truncated: "the binary property list is cut off \(name ?? "before its end")"
    case .damagedTrailer: "the trailer of the binary property list is damaged: \(name ?? "")"
    case .damagedLineEnds:
      "the binary property list was damaged by a line-end conversion: \(name ?? "")"
    case .offsetOutOfBounds: "an entry of the offset table points outside of the objects"
    case .wrongOffset: "an entry of the offset table points to a wrong place; it was corrected"
    case .unknownMarker: "the object is of an unknown kind"
    case .objectOutOfBounds: "the object reaches past the end of the objects"
    case .referenceOutOfBounds: "the object refers to an entry that the offset table does not have"
    case .stringNotASCII: "a string marked as ASCII holds other bytes"
    case .keyNotAString: "a dictionary key is not a string"
    case .oversizedUID: "a UID is larger than 32 bits"
    case .overlappingObjects: "the objects overlap each other"

    case .malformedXML: "the XML is not well formed: \(name ?? "it cannot be read")"
    case .truncatedXML: "the XML ends too early\(name.map { "; \($0)" } ?? "")"
    case .longMarkup:
      "a tag, declaration or entity is longer than any of a property list"
    case .entityDeclared: "the XML declares an entity, which a property list never does"
    case .tooManyAttributes:
      "an element has attributes in great number, which a property list never has"
    case .unknownEncoding: "the XML is in an encoding that is not supported: \(name ?? "?")"
    case .unexpectedElement: "the element <\(name ?? "?")> is not allowed here"
    case .unexpectedText: "text stands where only elements are allowed"
    case .badNumber: "an <\(name ?? "integer")> does not hold a number"
    case .badDate: "a <date> does not hold a date"
    case .badData: "a <data> does not hold base64"
    case .missingValue: "a <key> has no value"
    case .noValue: "the property list holds no value"

    case .missingArchiver: "is not a sound keyed archive: it has no $archiver that is a string"
    case .missingVersion: "is not a sound keyed archive: it has no $version that is a number"
    case .missingObjects: "is not a sound keyed archive: it has no $objects that is an array"
    case .missingTop: "is not a sound keyed archive: it has no $top that is a dictionary"
    case .unsupportedVersion: "the archive is of version \(name ?? "?"), which is not supported"
    case .danglingReference:
      "refers to object \(name ?? "?"), which the archive does not have"
    case .noClassRecord: "the object's $class does not lead to a class record"
    case .noClassName: "the class record has no $classname that is a string"
    case .badClassHierarchy: "the class record's $classes is not an array of strings"
    case .badCollection: "the collection is damaged: \(name ?? "")"
    case .badObject: "the entry of $objects is of a kind that no archiver writes"
    case .repeatedKey: "the object has a key twice"

    case .wrongKind: "the value is of another kind than \(name ?? "the one asked for")"
    case .outOfRange: "the number does not fit \(name ?? "the type asked for")"
    case .misfitObject: "the object's keys are not those of \(name ?? "its class")"
    case .unknownClass: "no type is known for the class \(name ?? "?")"
    case .classNotAllowed: "an object of the class \(name ?? "?") is not allowed here"
    case .cyclicObject:
      "object \(name ?? "?") leads back to itself while it is being decoded: decode a reference"
    case .replacedTooLate:
      "an object of the class \(name ?? "?") was handed out before another took its place"
    case .nilElement: "the collection holds nil"
    case .notTopLevel: "top-level objects are decoded at the outermost level only"
    case .unsupportedTypeCode: "the type code \(name ?? "?") is not that of a scalar"

    case .tooDeep where limit == .chain:
      "a chain of references is longer than the limit of \(name ?? "?")"
    case .tooDeep where limit == .nesting:
      "archives stand in archives deeper than the limit of \(name ?? "?") levels"
    case .tooDeep: "nesting is deeper than the limit of \(name ?? "?") levels"
    case .tooMany where limit == .tables:
      "the store would have more tables than the limit of \(name ?? "?")"
    case .tooMany: "the file holds more \(limitedThings) than the limit of \(name ?? "?")"
    case .expansion:
      "shared values would grow to more than the limit of \(name ?? "?") times the file's size"
    }
  }

  private var limitedThings: String {
    switch limit {
    case .classes: "classes"
    case .collectionKeys: "keys with collections"
    case .values: "values"
    case .xmlBytes: "bytes of values"
    case .nestedArchives: "archives inside of it"
    default: "entries"
    }
  }
}

extension ArchiveError.Position: CustomStringConvertible {
  /// The place in words, as it is printed behind an error.
  public var description: String {
    switch self {
    case .byte(let offset): "byte \(offset)"
    case .line(let line, let column) where column > 0: "line \(line), column \(column)"
    case .line(let line, _): "line \(line)"
    case .object(let uid, let key?): "object \(uid), key \(key)"
    case .object(let uid, nil): "object \(uid)"
    case .topLevel: "top level of the property list"
    case .topLevelKey(let key): "top-level key \(key)"
    }
  }
}
