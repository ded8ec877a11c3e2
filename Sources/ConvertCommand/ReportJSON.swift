import Foundation
import Importer

/// The report for programs: see Documentation/cli.md for its fields.
struct ReportJSON: Encodable {
  struct Converter: Encodable {
    var version: String
  }

  struct Store: Encodable {
    var path: String
    var layout: String
    var bytes: Int?
  }

  struct Archive: Encodable {
    var path: String
    var sha256: String?
    var bytes: Int?
    var format: String?
    var outcome: String
    var error: String?
    var objects: Int?
    var parent: String?
    var uid: Int?
    var key: String?
    var damages: [Damage]?
    var damagesLeftOut: Int?
  }

  struct Damage: Encodable {
    var uid: Int?
    var key: String?
    var reason: String
  }

  struct Entity: Encodable {
    var name: String
    var archivedClasses: [String]
    var archivedObjects: Int
    var rows: Int
    var attributes: [Attribute]
    var relationships: [Relationship]
  }

  struct Attribute: Encodable {
    var name: String
    var key: String
    var type: String
    var values: Int
    var nulls: Int
  }

  struct Relationship: Encodable {
    var name: String
    var destination: String
    var toMany: Bool
    var inverse: String?
    var links: Int
  }

  struct Loss: Encodable {
    var archive: String
    var uid: Int?
    var `class`: String
    var key: String
    var before: String
    var after: String
    var reason: String
  }

  struct KeyCount: Encodable {
    var `class`: String
    var key: String
    var count: Int

    init(_ found: ConversionReport.KeyCount) {
      (`class`, key, count) = (found.className, found.key, found.count)
    }
  }

  struct ClassCount: Encodable {
    var `class`: String
    var count: Int

    init(_ found: ConversionReport.ClassCount) {
      (`class`, count) = (found.className, found.count)
    }
  }

  struct Conflict: Encodable {
    var code: String
    var archive: String?
    var uid: Int?
    var entity: String
    var row: Int64
    var property: String
  }

  struct Invalid: Encodable {
    var code: String
    var archive: String?
    var uid: Int?
    var `class`: String?
    var key: String?
    var entity: String?
    var row: Int64?
    var property: String?
    var kind: String?
    var message: String
  }

  struct FailedPass: Encodable {
    var name: String
    var reason: String
    var kept: [String]
  }

  var converter: Converter
  var startedAt: String
  var seconds: Double
  var store: Store
  var archives: [Archive]
  var entities: [Entity]
  var skippedFiles: Int
  var sharedCollections: Int
  var unreachableObjects: Int
  var classesKeptAsObjects: [String]
  var unreadKeys: [KeyCount]
  var ignoredKeys: [KeyCount]
  var unmappedClasses: [ClassCount]
  var unvisitedObjects: [ClassCount]
  var filteredObjects: [ClassCount]
  var relationshipsSetFromBothSides: [String]
  var conflicts: [Conflict]
  var conflictsLeftOut: Int
  var validationErrors: [Invalid]
  var validationErrorsLeftOut: Int
  var failedPass: FailedPass?
  var lossyConversions: [Loss]
  var lossyConversionsLeftOut: Int

  init(_ report: ConversionReport) {
    converter = Converter(version: Version.current)
    startedAt = report.startedAt.formatted(.iso8601)
    seconds = report.seconds
    store = Store(path: report.storePath, layout: "relational", bytes: report.storeBytes)
    archives = report.archives.map(Archive.init)
    entities = report.entities.map { entity in
      Entity(
        name: entity.name, archivedClasses: entity.archivedClasses,
        archivedObjects: entity.archivedObjects, rows: entity.rows,
        attributes: entity.attributes.map {
          Attribute(
            name: $0.name, key: $0.key, type: $0.type, values: $0.values, nulls: $0.nulls)
        },
        relationships: entity.relationships.map {
          Relationship(
            name: $0.name, destination: $0.destination, toMany: $0.isToMany, inverse: $0.inverse,
            links: $0.links)
        })
    }
    skippedFiles = report.skippedFiles
    sharedCollections = report.sharedCollections
    unreachableObjects = report.unreachableObjects
    classesKeptAsObjects = report.classesKeptAsObjects
    unreadKeys = report.unreadKeys.map(KeyCount.init)
    ignoredKeys = report.ignoredKeys.map(KeyCount.init)
    unmappedClasses = report.unmappedClasses.map(ClassCount.init)
    unvisitedObjects = report.unvisitedObjects.map(ClassCount.init)
    filteredObjects = report.filteredObjects.map(ClassCount.init)
    relationshipsSetFromBothSides = report.relationshipsSetFromBothSides
    conflicts = report.conflicts.map {
      Conflict(
        code: $0.code.rawValue, archive: $0.archive, uid: $0.uid, entity: $0.entity, row: $0.row,
        property: $0.property)
    }
    conflictsLeftOut = report.conflictCount - report.conflicts.count
    validationErrors = report.validationErrors.map {
      Invalid(
        code: $0.code.rawValue, archive: $0.archive, uid: $0.uid, class: $0.className,
        key: $0.key, entity: $0.entity, row: $0.row, property: $0.property, kind: $0.kind,
        message: "\($0)")
    }
    validationErrorsLeftOut = report.validationErrorCount - report.validationErrors.count
    failedPass = report.failedPass.map {
      FailedPass(name: $0.name, reason: $0.reason, kept: $0.kept)
    }
    lossyConversions = report.losses.map {
      Loss(
        archive: $0.archive, uid: $0.uid, class: $0.className, key: $0.key, before: $0.before,
        after: $0.after, reason: $0.reason)
    }
    lossyConversionsLeftOut = report.lossCount - report.losses.count
  }

  func text() throws -> String { try JSONText.encode(self) }
}

/// JSON as the command line prints it.
enum JSONText {
  static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    // JSON allows DEL and the C1 controls as they are; some terminals obey them.
    guard text.unicodeScalars.contains(where: isTerminalControl) else { return text + "\n" }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isTerminalControl(scalar) {
        result += "\\u00" + String(scalar.value, radix: 16)
      } else {
        result.unicodeScalars.append(scalar)
      }
    } + "\n"
  }

  private static func isTerminalControl(_ scalar: Unicode.Scalar) -> Bool {
    (0x7F...0x9F).contains(scalar.value)
  }
}
