import Importer

/// A mapping file with something of everything, and the mapping that it makes.
enum MappingSample {
  static let yaml = #"""
    # What becomes of the locations
    model: Locations.xcdatamodeld
    modelDigest: "q83vEjRWeJA="
    stripPrefix: MT
    classes:
      MTNote: Note
      TransactionType: {value: rawValue}
      MTUndoState: {ignore: true}
    entities:
      Event:
        name: EventToEvent
        from: [Event, "Old.Event"]
        parent: Base
        abstract: true
        where: timeStamp >= CAST("2011-01-01T00:00:00Z", "NSDate")
        identity: [uniqueId, source]
        policy: TagsPolicy
        complete: true
        attributes:
          expenseTotal: {from: total, convert: {decimal: {scale: 2, rounding: halfEven}}}
          printedDate: timeStamp
          city: address.city.name
          title: {}
          subtitle:
          isProcessed: {value: false}
          count: {value: 3}
          ratio: {value: -1.5e3}
          since: {value: 2011-01-01}
          nothing: {value: null}
          five: {value: "5"}
          label: {expression: "title + '/' + number"}
          objects: {from: ["NS.objects", count]}
          rate:
            from: rate
            type: decimal
            optional: false
            default: 0
            minimum: 0
            maximum: 10.5
            pattern: "^[0-9]*$"
            keepNegativeZero: true
          id: {from: id, type: integer64}
        relationships:
          notes:
            from: notes
            to: [Note, Remark]
            toMany: true
            ordered: true
            inverse: container
            deleteRule: cascade
            optional: false
            minimum: 1
            maximum: 5
            keepCount: true
          owner: person
          tags: {from: tags, split: ",", into: Tag, by: name, trim: false, fold: case}
          labels: {from: labels, into: Tag, by: name}
          author: {from: author, mapping: PersonToPerson}
          same:
          other: {expression: "owner.other"}
        collections:
          scores:
            from: all.scores
            ordered: true
            keys: string
            keyReferences: false
            values: integer
            valueReferences: true
            keepNegativeZero: true
            keepCount: true
          names: allNames
          plain: {}
          bare:
        unread: [modelContext, undo]
      Note:
        - {from: MTNote, where: isOld == NO}
        - from: MTOldNote
          identity: uniqueId
          unread: junk
      Empty:
    passes:
      - name: StepTwo
        entities:
          Event: {attributes: {title: name}}
      - name: StepThree
    """#

  static let mapping = Mapping(
    model: Marked("Locations.xcdatamodeld"), modelDigest: Marked("q83vEjRWeJA="),
    stripPrefix: "MT",
    classes: [
      ClassMapping(className: Marked("MTNote"), kind: .entity(Marked("Note"))),
      ClassMapping(className: Marked("TransactionType"), kind: .value(key: "rawValue")),
      ClassMapping(className: Marked("MTUndoState"), kind: .ignored),
    ],
    entities: [
      event,
      .of("Note") {
        $0.sources = [Marked("MTNote")]
        $0.filter = try? Marked(FilterPredicate(parsing: "isOld == NO"))
      },
      .of("Note") {
        $0.sources = [Marked("MTOldNote")]
        $0.identity = [Marked("uniqueId")]
        $0.unread = [Marked("junk")]
      },
      .of("Empty"),
    ],
    passes: [
      Mapping.Pass(
        name: Marked("StepTwo"),
        entities: [.of("Event") { $0.attributes = [.of("title", .keyPath(["name"]))] }]),
      Mapping.Pass(name: Marked("StepThree"), entities: []),
    ])

  private static let event = EntityMapping.of("Event") {
    $0.name = Marked("EventToEvent")
    $0.sources = [Marked("Event"), Marked("Old.Event")]
    $0.parent = Marked("Base")
    $0.isAbstract = true
    $0.filter = try? Marked(
      FilterPredicate(parsing: #"timeStamp >= CAST("2011-01-01T00:00:00Z", "NSDate")"#))
    $0.identity = [Marked("uniqueId"), Marked("source")]
    $0.policy = Marked("TagsPolicy")
    $0.isComplete = true
    $0.attributes = attributes
    $0.relationships = relationships
    $0.collections = collections
    $0.unread = [Marked("modelContext"), Marked("undo")]
  }

  private static let attributes: [AttributeMapping] = [
    .of("expenseTotal", .keyPath(["total"])) {
      $0.conversions = [Marked(.decimal(scale: 2, rounding: .halfEven, notFinite: .error))]
    },
    .of("printedDate", .keyPath(["timeStamp"])),
    .of("city", .keyPath(["address", "city", "name"])),
    .of("title", .keyPath(["title"])),
    .of("subtitle", .keyPath(["subtitle"])),
    .of("isProcessed", .constant(.bool(false))),
    .of("count", .constant(.integer(3))),
    .of("ratio", .constant(.real(-1500))),
    .of("since", .constant(.text("2011-01-01"))),
    .of("nothing", .constant(.null)),
    .of("five", .constant(.text("5"))),
    .of("label", expression("title + '/' + number")),
    .of("objects", .keyPath(["NS.objects", "count"])),
    .of("rate", .keyPath(["rate"])) {
      $0.type = .decimal
      $0.isOptional = false
      $0.defaultValue = .integer(0)
      $0.minimum = 0
      $0.maximum = 10.5
      $0.pattern = Marked("^[0-9]*$")
      $0.keepsNegativeZero = true
    },
    .of("id", .keyPath(["id"])) { $0.type = .integer },
  ]

  private static let relationships: [RelationshipMapping] = [
    .of("notes", .keyPath(["notes"])) {
      $0.destinations = [Marked("Note"), Marked("Remark")]
      $0.isToMany = true
      $0.isOrdered = true
      $0.inverse = Marked("container")
      $0.deleteRule = .cascade
      $0.isOptional = false
      $0.minimumCount = 1
      $0.maximumCount = 5
      $0.keepsCount = true
    },
    .of("owner", .keyPath(["person"])),
    .of("tags", .keyPath(["tags"])) {
      $0.destinations = [Marked("Tag")]
      $0.split = RelationshipMapping.Split(
        separator: ",", attribute: Marked("name"), trims: false, folding: .case)
    },
    .of("labels", .keyPath(["labels"])) {
      $0.destinations = [Marked("Tag")]
      $0.split = RelationshipMapping.Split(separator: nil, attribute: Marked("name"))
    },
    .of("author", .keyPath(["author"])) { $0.entityMapping = Marked("PersonToPerson") },
    .of("same", .keyPath(["same"])),
    .of("other", expression("owner.other")),
  ]

  private static let collections: [CollectionMapping] = [
    CollectionMapping(name: Marked("scores"), key: Marked("all.scores"), isOrdered: true),
    CollectionMapping(name: Marked("names"), key: Marked("allNames")),
    CollectionMapping(name: Marked("plain"), key: Marked("plain")),
    CollectionMapping(name: Marked("bare"), key: Marked("bare")),
  ]

  private static func expression(_ format: String) -> ValueSource {
    (try? ValueExpression(parsing: format)).map { .expression($0) } ?? .constant(.null)
  }
}

extension EntityMapping {
  static func of(_ name: String, _ change: (inout Self) -> Void = { _ in }) -> Self {
    var mapping = Self(entity: Marked(name))
    change(&mapping)
    return mapping
  }
}

extension AttributeMapping {
  static func of(
    _ name: String, _ source: ValueSource, _ change: (inout Self) -> Void = { _ in }
  ) -> Self {
    var mapping = Self(name: Marked(name), source: Marked(source))
    change(&mapping)
    return mapping
  }
}

extension RelationshipMapping {
  static func of(
    _ name: String, _ source: ValueSource, _ change: (inout Self) -> Void = { _ in }
  ) -> Self {
    var mapping = Self(name: Marked(name), source: Marked(source))
    change(&mapping)
    return mapping
  }
}
