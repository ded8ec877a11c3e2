extension ArchiveError: CustomStringConvertible {
  /// The error in words, with its place in brackets: `what is wrong (where)`.
  public var description: String {
    var words = sentence
    if let limit { words += "; raise it with --limit \(limit.rawValue)=N" }
    switch salvage {
    case .untried: words += "; --salvage may recover a part"
    case .failed: words += "; nothing could be recovered"
    case nil: break
    }
    // What a file is concerns the whole of it.
    guard let position, code != .notAnArchive else { return words }
    return "\(words) (\(position))"
  }

  private var sentence: String {
    switch code {
    case .unreadable: "cannot be read: \(name ?? "unknown error")"
    case .empty: "is empty"
    case .notAnArchive: "is not a keyed archive: it is \(name ?? "of an unknown kind")"
    case .badWrapping: "cannot be unwrapped: it is not \(name ?? "as the steps say")"
    case .outOfMemory: "out of memory"

    case .truncated: "the binary property list is truncated \(name ?? "before its end")"
    case .damagedTrailer: "the trailer of the binary property list is damaged: \(name ?? "")"
    case .damagedLineEnds:
      "the binary property list was damaged by line-ending conversion: \(name ?? "")"
    case .offsetOutOfBounds: "an entry of the offset table points outside the objects"
    case .wrongOffset: "an entry of the offset table was wrong and has been corrected"
    case .unknownMarker: "the object has an unknown type"
    case .objectOutOfBounds: "the object extends past the end of the objects"
    case .referenceOutOfBounds: "the object refers to an entry that is not in the offset table"
    case .stringNotASCII: "a string marked as ASCII has non-ASCII bytes"
    case .keyNotAString: "a dictionary key is not a string"
    case .oversizedUID: "a UID is larger than 32 bits"
    case .overlappingObjects: "objects overlap"

    case .malformedXML: "the XML is not well-formed: \(name ?? "it cannot be read")"
    case .truncatedXML: "the XML ends unexpectedly\(name.map { "; \($0)" } ?? "")"
    case .longMarkup:
      "a tag, declaration or entity is too long for a property list"
    case .entityDeclared: "the XML declares an entity; property lists declare none"
    case .tooManyAttributes:
      "an element has too many attributes; property lists use none"
    case .unknownEncoding: "unsupported XML encoding: \(name ?? "?")"
    case .unexpectedElement: "the element <\(name ?? "?")> is not allowed here"
    case .unexpectedText: "text is not allowed here, only elements"
    case .badNumber: "<\(name ?? "integer")> does not contain a number"
    case .badDate: "<date> does not contain a valid date"
    case .badData: "<data> does not contain valid base64"
    case .missingValue: "a <key> has no value"
    case .noValue: "the property list has no value"

    case .damagedNib: "the compiled nib is damaged: \(name ?? "")"
    case .damagedTypedstream: "the typedstream is damaged: \(name ?? "")"
    case .unsupportedType: "values of the type \(name ?? "?") cannot be read"
    case .textNotUTF8:
      "the text is not valid UTF-8 and was read in the encoding of NeXTSTEP: it may be wrong"

    case .missingArchiver: "not a valid keyed archive: $archiver is missing or is not a string"
    case .missingVersion: "not a valid keyed archive: $version is missing or is not a number"
    case .missingObjects: "not a valid keyed archive: $objects is missing or is not an array"
    case .missingTop: "not a valid keyed archive: $top is missing or is not a dictionary"
    case .noReference: "not a valid keyed archive: nothing under $top refers to one of its objects"
    case .unsupportedVersion: "archive version \(name ?? "?") is not supported"
    case .danglingReference:
      "refers to object \(name ?? "?"), which does not exist"
    case .noClassRecord: "the object's $class does not refer to a class record"
    case .noClassName: "the class record's $classname is missing or is not a string"
    case .badClassHierarchy: "the class record's $classes is not an array of strings"
    case .badCollection: "the collection is damaged: \(name ?? "")"
    case .badObject: "the entry of $objects has a type that no archiver writes"
    case .repeatedKey: "the object has a duplicate key"

    case .wrongKind: "the value is not \(name ?? "of the requested type")"
    case .outOfRange: "the number does not fit \(name ?? "the requested type")"
    case .misfitObject: "the object's keys do not match \(name ?? "its class")"
    case .unknownClass: "no type is known for the class \(name ?? "?")"
    case .classNotAllowed: "an object of the class \(name ?? "?") is not allowed here"
    case .cyclicObject:
      "object \(name ?? "?") refers back to itself: decode a reference to it instead"
    case .replacedTooLate:
      "an object of the class \(name ?? "?") was returned before it was replaced"
    case .nilElement: "the collection contains nil"
    case .notTopLevel: "top-level objects can be decoded only at the outermost level"
    case .unsupportedTypeCode: "type code \(name ?? "?") is not a scalar type"

    case .damagedValue:
      "the archive in the value cannot be read: \(name ?? "")"
    case .unreadableStore: name ?? "the Core Data store cannot be read"
    case .damagedStore: "the Core Data store is damaged: \(name ?? "")"
    case .damagedMetadata: "the metadata of the store cannot be read: \(name ?? "")"
    case .otherModel: "the store belongs to a different model, which differs in \(name ?? "?")"
    case .unknownEntity: "the model has no entity \(name ?? "?")"
    case .unknownProperty: "the model has no stored property \(name ?? "?")"
    case .ambiguousName:
      "the store does not keep the case of names, and \(name ?? "names") differ only in case"
    case .repeatedObject: "object \(name ?? "?") occurs twice"
    case .wrongValueCount: "the object has \(name ?? "another number of values")"
    case .suspectByteOrder:
      "the escaped characters (\\u and four digits) seem to have the other byte order"
    case .unplanned:
      "internal error: it holds something that its first reading did not find; please report this"
    case .failedMigration: "the store cannot be migrated: \(name ?? "")"

    case .tooDeep where limit == .chain:
      "a chain of references is longer than the limit of \(name ?? "?")"
    case .tooDeep where limit == .nesting:
      "archives are nested deeper than the limit of \(name ?? "?") levels"
    case .tooDeep: "nesting is deeper than the limit of \(name ?? "?") levels"
    case .tooMany where limit == .tables:
      "the store would have more tables than the limit of \(name ?? "?")"
    case .tooMany: "the file holds more \(limitedThings) than the limit of \(name ?? "?")"
    case .expansion:
      "values would expand to more than the limit of \(name ?? "?") times the file's size"
    }
  }

  private var limitedThings: String {
    switch limit {
    case .classes: "classes"
    case .collectionKeys: "keys with collections"
    case .values: "values"
    case .xmlBytes: "bytes of values"
    case .nestedArchives: "nested archives"
    default: "entries"
    }
  }
}

extension ArchiveError.Position: CustomStringConvertible {
  /// The place in words, as it is printed after an error.
  public var description: String {
    switch self {
    case .byte(let offset): "byte \(offset)"
    case .line(let line, let column) where column > 0: "line \(line), column \(column)"
    case .line(let line, _): "line \(line)"
    case .object(let uid, let key?): "object \(uid), key \(key)"
    case .object(let uid, nil): "object \(uid)"
    case .record(let name, let property?): "\(name), \(property)"
    case .record(let name, nil): name
    case .topLevel: "top level of the property list"
    case .topLevelKey(let key): "top-level key \(key)"
    }
  }
}
