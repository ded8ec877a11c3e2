import ArchiveReader
import Foundation

/// What an import noticed and collects: errors, conflicts, losses, keys that nothing read.
struct ImportFindings: Sendable {
  /// Where something is noticed.
  struct Place: Sendable {
    var archive: String?
    var uid: Int?
    var className: String?
    var key: String?
  }

  /// A key of a class that nothing read, though objects hold it.
  struct ClassKey: Hashable, Sendable, Codable {
    var className: String
    var key: String
  }

  /// A value of which something was lost on the way.
  struct Loss: Sendable {
    var place: Place
    var before: String
    var after: String
    var reason: String
  }

  private(set) var errors: [ValidationError] = []
  private(set) var errorCount = 0
  /// For errors that differ in nothing but the object, the place of the first in the list.
  private var firstErrors: [ValidationError: Int] = [:]
  /// The archives with errors: they cannot be converted.
  private(set) var failedArchives: Set<String> = []
  private(set) var conflicts: [ImportConflict] = []
  private(set) var conflictCount = 0
  private(set) var losses: [Loss] = []
  private(set) var lossCount = 0
  var unreadKeys: [ClassKey: Int] = [:]
  /// Keys that a mapping leaves behind on purpose.
  var ignoredKeys: [ClassKey: Int] = [:]
  /// Keys that were read for expressions, key paths and filters only.
  var derivedKeys: [ClassKey: Int] = [:]
  /// How many objects of each class had their turn, by pass.
  var visitedObjects: [String: [Int: Int]] = [:]
  /// Objects of classes that no entity is there for.
  var unmappedObjects: [String: Int] = [:]
  /// Objects that filters left out, and those whose hook or policy made no row.
  var filteredObjects: [String: Int] = [:]
  /// Relationships that hooks set from both sides.
  var setFromBothSides: Set<String> = []
  /// What a store of Core Data has no place for.
  var omissions: [LayoutOmission] = []

  /// How many entries of a list are kept; the rest is counted.
  static let mostEntries = 1_000

  mutating func add(_ error: ValidationError, at place: Place) {
    var error = error
    error.archive = error.archive ?? place.archive
    error.uid = error.uid ?? place.uid
    error.className = error.className ?? place.className
    error.key = error.key ?? place.key
    errorCount += 1
    if let archive = error.archive { failedArchives.insert(archive) }
    if let first = firstErrors[error.withoutObject] {
      errors[first].times += 1
    } else if errors.count < Self.mostEntries {
      firstErrors[error.withoutObject] = errors.count
    }
    if errors.count < Self.mostEntries { errors.append(error) }
  }

  /// The words of an error that a hook or a policy threw: its own, if it has some.
  ///
  /// Of others, the values that they carry are left out, which may be content.
  static func words(of error: any Error) -> String {
    switch error {
    case let error as any LocalizedError:
      if let words = error.errorDescription { return words }
    case let error as any CustomStringConvertible: return error.description
    default: break
    }
    let mirror = Mirror(reflecting: error)
    guard mirror.displayStyle == .enum else { return "\(type(of: error))" }
    return "\(type(of: error)).\(mirror.children.first?.label ?? "\(error)")"
  }

  mutating func add(_ conflict: ImportConflict) {
    conflictCount += 1
    if conflicts.count < Self.mostEntries { conflicts.append(conflict) }
  }

  /// Counts a loss that is not listed; returns false as long as there is room in the list.
  mutating func countUnlistedLoss() -> Bool {
    guard losses.count >= Self.mostEntries else { return false }
    lossCount += 1
    return true
  }

  mutating func addLoss(
    at place: Place, before: ImportValue, after: ImportValue, reason: String
  ) {
    lossCount += 1
    guard losses.count < Self.mostEntries else { return }
    losses.append(
      Loss(
        place: place, before: before.shownText, after: after.shownText, reason: reason))
  }
}

extension ImportValue {
  /// The value as a report shows it, shortened if it is long.
  var shownText: String {
    let text = storedText ?? kind
    return text.count > 200 ? text.prefix(200) + "…" : text
  }
}
