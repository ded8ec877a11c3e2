/// The archives of one differential test, object by object.
///
/// This is what the oracle goes by: it says what stands under each key without any archive being
/// read.
package struct ArchiveCase: Sendable {
  /// The files, in the order in which they are converted.
  package var files: [ArchivedFile] = []
  /// How they are converted.
  package var settings = CaseSettings()
}

/// How the archives of a case are converted, but for the layout, the mapping and the model.
package struct CaseSettings: Sendable {
  /// How many threads there are.
  package var jobs = 1
  /// Whether the folder of the files is given in place of the files.
  package var isDirectory = false
  /// Whether the store records which object each row was.
  package var recordsProvenance = false
  /// Whether damaged archives would be salvaged.
  package var salvages = false
  /// Whether data values are looked into.
  package var opensNested = false
  /// Whether rows are written before all archives are surveyed.
  package var startsEarly = false
  /// Whether rows are made one by one.
  package var avoidsPlainRows = false
}

/// One archive.
package struct ArchivedFile: Sendable {
  /// Its path in the folder of the case.
  package var name: String
  /// Whether it is XML.
  package var isXML = false
  /// The objects that are to become rows.
  package var objects: [ArchivedObject] = []
  /// The collections: several keys may hold one.
  package var collections: [ArchivedCollection] = []
  /// What the top-level keys hold.
  package var top: [Pair] = []
  /// Seeds the order in which the entries of the archive are written.
  package var order: UInt64 = 0
  /// Which run converts it, where the archives are added to a store in several.
  package var run = 0
}

/// A key and what stands under it.
package struct Pair: Sendable, Hashable {
  package var key: String
  package var content: Content
}

/// An object that is to become a row.
package struct ArchivedObject: Sendable {
  /// Its class.
  package var className: String
  /// The key that no other object of the case has the same value under.
  package var identity = "tag"
  /// Its keys.
  package var pairs: [Pair]

  /// Whether it is of a value class and yet no value.
  var isOdd: Bool { ["NSUUID", "NSURL", "NSDate", "CKRecordID", "NSIndexSet"].contains(className) }

  package subscript(key: String) -> Content? { pairs.first { $0.key == key }?.content }
}

/// A collection.
package struct ArchivedCollection: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case array = "NSArray"
    case mutableArray = "NSMutableArray"
    case set = "NSSet"
    case mutableSet = "NSMutableSet"
    case orderedSet = "NSOrderedSet"
    case dictionary = "NSDictionary"
    case mutableDictionary = "NSMutableDictionary"
    case countedSet = "NSCountedSet"

    var isOrdered: Bool { [.array, .mutableArray, .orderedSet].contains(self) }
    var isKeyed: Bool { [.dictionary, .mutableDictionary, .countedSet].contains(self) }
  }

  package var kind: Kind
  /// The elements; of pairs, the values.
  package var elements: [Content]
  /// The keys of pairs; empty for collections without.
  package var keys: [Content] = []
}

/// What stands under a key or in a collection.
package enum Content: Sendable, Hashable {
  /// The reference to nothing.
  case none
  /// An `NSNull`.
  case null
  /// A plain value; boxed ones are objects of their own, as in a collection all are.
  case leaf(Leaf, isBoxed: Bool)
  /// The object with some number in the file.
  case object(Int)
  /// The collection with some number in the file.
  case collection(Int)

  var isNothing: Bool { self == .none || self == .null }
}
