import Foundation

/// The keys of an archived object, as its `init(coder:)` decodes them.
///
/// It keeps `NSCoder`'s contract: an absent key gives nil, false or 0, and never an error. A value
/// of another kind, a number that is too large and a key that cannot be read are `ArchiveError`s;
/// the methods that decode objects also throw what the initializers of these throw. Not for use
/// after the initializer has returned.
public final class KeyedCoder {
  /// The unarchiver whose object it is.
  public let unarchiver: KeyedUnarchiver

  let object: GraphObject?
  /// The classes that the object was allowed by.
  let classes: [AllowedClass]?
  private var ownFields: ObjectFields

  /// A coder of an object; of the top level without one.
  init(of object: GraphObject?, in unarchiver: KeyedUnarchiver, classes: [AllowedClass]?) {
    self.object = object
    self.unarchiver = unarchiver
    self.classes = classes
    ownFields = object.map { ObjectFields($0, unarchiver.graph) } ?? unarchiver.topFields
  }

  /// The keys, and the values read so far: all coders of the top level share these.
  package var fields: ObjectFields {
    get { object == nil ? unarchiver.topFields : ownFields }
    _modify {
      if object == nil { yield &unarchiver.topFields } else { yield &ownFields }
    }
  }

  // MARK: The object

  /// The archived name of the object's class; empty for `$top`.
  public var className: String { record.map { ArchivedName.plain($0.name) } ?? "" }

  /// The names of its class and of the superclasses of that, as archived.
  public var classHierarchy: [String] { record?.hierarchy.map(ArchivedName.plain) ?? [] }

  private var record: ClassRecord? { object.map(graph.classRecord) }

  /// The place of the object in the archive's `$objects`; nil for `$top`.
  public var uid: Int? { object?.uid }

  /// The keys that can be asked for, in the order of the archive.
  public var allKeys: [String] { fields.plainKeys }

  /// The keys that can be asked for and have not been, in the order of the archive.
  public var unreadKeys: [String] {
    let fields = fields
    return allKeys.filter { key in
      fields.position(of: key).map { !fields.read.contains($0) } ?? false
    }
  }

  /// The number of values that were encoded without a key.
  public var unkeyedCount: Int { fields.unkeyedCount }

  /// True if there is a key, even if it holds nil.
  public func containsValue(forKey key: String) -> Bool { fields.position(of: key) != nil }

  /// True if values have keys, as they do but in typedstreams.
  public var allowsKeyedCoding: Bool { !fields.hasPositions }

  /// True if objects are decoded only where a list of classes allows theirs.
  public var requiresSecureCoding: Bool { unarchiver.options.requiresSecureCoding }

  /// The effect of an error.
  public var decodingFailurePolicy: DecodingFailurePolicy {
    unarchiver.options.decoding.failurePolicy
  }

  /// The version of a class in a typedstream; `NSNotFound` for others, and in other archives.
  public func version(forClassName className: String) -> Int {
    graph.source.classVersion(className)
  }

  /// Lets others that are decoded inside of this object have it before its initializer is done.
  ///
  /// Call it as soon as all stored properties are set. Without it, an object that is decoded in
  /// place and leads back to itself is an error; objects that refer to it by
  /// `decodeReference(to:forKey:)` need nothing.
  ///
  /// - Parameter object: The object that is being decoded: `self`.
  public func register(_ object: any KeyedDecodable & AnyObject) {
    guard let uid, case .decoding(nil, _) = unarchiver.slots[uid] else { return }
    unarchiver.slots[uid] = .decoding(early: object, isHandedOut: false)
  }

  // MARK: Errors

  /// The first error, where errors are kept.
  public var error: (any Error)? { unarchiver.failure }

  /// Fails with an error of one's own: it is thrown or kept, as the policy has it.
  public func failWithError(_ error: any Error) throws { try attempt(()) { throw error } }

  /// Runs a body; an error is thrown or kept, as the policy has it.
  func attempt<R>(_ nothing: R, _ body: () throws -> R) throws -> R {
    guard decodingFailurePolicy == .setErrorAndReturn else { return try body() }
    guard unarchiver.failure == nil else { return nothing }
    do {
      return try body()
    } catch {
      if unarchiver.failure == nil { unarchiver.failure = error }
      return nothing
    }
  }
}

extension KeyedCoder: ObjectDecoding {
  package var graph: any ObjectGraph { unarchiver.graph }
  package var isStrict: Bool { unarchiver.options.decoding.isStrict }

  /// The value in a field; nil for nil.
  package func value(of field: ArchivedField?) throws -> DecodedValue? { try value(of: field, nil) }

  package func plain(_ value: GraphValue) throws -> DecodedValue? {
    try unarchiver.plain(value, fields.unkeyedPlace)
  }

  package func number(ofObjectIn field: ArchivedField) throws -> ArchivedNumber {
    switch try unarchiver.settled(field.value, nil, field.place) {
    case .plain(let value): ArchivedNumber(value)
    case .value(let value): ArchivedNumber(value)
    case .object: .none
    }
  }

  package func note(
    _ kinds: [DecodingAdjustment.Kind], _ field: ArchivedField, taken: Double? = nil
  ) {
    for kind in kinds {
      unarchiver.note(DecodingAdjustment(kind, className: record?.name, key: field.key))
    }
  }

  package func wrongKind(
    _ field: ArchivedField, expected: String, _ number: ArchivedNumber? = nil
  ) -> any Error {
    field.wrongKind(expected: expected)
  }
}

extension ArchivedNumber {
  /// The number that a value is.
  fileprivate init(_ value: DecodedValue) {
    switch value {
    case .null, .nsNull: self = .nothing
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(Int128(value))
    case .wideInteger(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .decimal(let value): self = .decimal("\(value)")
    default: self = .none
    }
  }
}
