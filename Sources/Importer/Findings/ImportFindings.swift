import ArchiveReader
import Foundation

/// The findings of an import: errors, conflicts, losses, keys that nothing read.
package struct ImportFindings: Sendable {
  /// The place of a finding.
  package struct Location: Sendable {
    var archive: String?
    var uid: Int?
    package var className: String?
    package var key: String?

    package init(
      archive: String? = nil, uid: Int? = nil, className: String? = nil, key: String? = nil
    ) {
      (self.archive, self.uid, self.className, self.key) = (archive, uid, className, key)
    }
  }

  /// A key of a class that nothing read, though objects hold it.
  package struct ClassKey: Hashable, Sendable, Codable {
    package var className: String
    package var key: String

    package init(className: String, key: String) {
      (self.className, self.key) = (className, key)
    }
  }

  package private(set) var errors: [ValidationError] = []
  package private(set) var errorCount = 0
  /// For errors that differ in nothing but the object, the place of the first in the list.
  private var firstErrors: [ValidationError: Int] = [:]
  /// The archives with errors, which cannot be converted: the first error of each, and how many.
  package private(set) var failures: [String: (first: ValidationError, count: Int)] = [:]
  package private(set) var conflicts: [ImportConflict] = []
  package private(set) var conflictCount = 0
  package private(set) var losses: [ImportLoss] = []
  package private(set) var lossCount = 0
  package private(set) var lossKinds = LossKinds()
  /// The entries after those of the lists.
  package private(set) var unlistedErrors: UnlistedEntries
  package private(set) var unlistedConflicts: UnlistedEntries
  package private(set) var unlistedLosses: UnlistedEntries
  package var unreadKeys: [ClassKey: Int] = [:]
  /// Keys that a mapping leaves behind on purpose.
  package var ignoredKeys: [ClassKey: Int] = [:]
  /// Keys that were read for expressions, key paths and filters only.
  package var derivedKeys: [ClassKey: Int] = [:]
  /// The number of objects of each class that had their turn, by pass.
  package var visitedObjects: [String: [Int: Int]] = [:]
  /// Objects of classes that no entity is there for.
  package var unmappedObjects: [String: Int] = [:]
  /// Objects that filters left out, and those whose hook or policy made no row.
  package var filteredObjects: [String: Int] = [:]
  /// Relationships that hooks set from both sides.
  package var setFromBothSides: Set<String> = []
  /// The values, links and orders that a store of Core Data has no place for.
  package var omissions: [LayoutOmission] = []

  /// The archives with errors.
  package var failedArchives: Set<String> { Set(failures.keys) }

  /// The number of entries of a list that are kept in memory; the rest is counted.
  package static let maxEntries = 1_000

  /// Makes ready to collect.
  ///
  /// - Parameter spill: Takes the entries after those that are kept in memory; nil if nobody wants
  ///   them.
  package init(_ spill: EntrySpill? = nil) {
    unlistedErrors = UnlistedEntries(spill)
    unlistedConflicts = UnlistedEntries(spill)
    unlistedLosses = UnlistedEntries(spill)
  }

  mutating func add(_ error: ValidationError, at location: Location) {
    var error = error
    error.archive = error.archive ?? location.archive
    error.uid = error.uid ?? location.uid
    error.className = error.className ?? location.className
    error.key = error.key ?? location.key
    errorCount += 1
    if let archive = error.archive { failures[archive, default: (error, 0)].count += 1 }
    if let first = firstErrors[error.withoutObject] {
      errors[first].times += 1
    } else if errors.count < Self.maxEntries {
      firstErrors[error.withoutObject] = errors.count
    }
    if errors.count < Self.maxEntries {
      errors.append(error)
    } else {
      unlistedErrors.add(.validationErrors, ImportBrokenRule(error))
    }
  }

  mutating func add(_ conflict: ImportConflict) {
    conflictCount += 1
    if conflicts.count < Self.maxEntries {
      conflicts.append(conflict)
    } else {
      unlistedConflicts.add(.conflicts, conflict)
    }
  }

  // MARK: Losses

  /// True if a loss is listed, in memory or after it; else it is counted.
  package var listsLosses: Bool { losses.count < Self.maxEntries || unlistedLosses.areKept }

  /// Counts a loss that need not be listed; returns false, and does nothing, for any other.
  mutating func countUnlistedLoss(
    _ reason: String, _ className: String, key: String, at location: @autoclosure () -> Location
  ) -> Bool {
    guard !listsLosses else { return false }
    lossCount += 1
    if !lossKinds.addToLast(className: className, key: key, reason: reason) {
      var location = location()
      location.key = key
      lossKinds.add(ImportLoss(location, before: "", after: "", reason))
    }
    return true
  }

  /// Counts losses that are not listed, of one kind.
  package mutating func countLosses(_ count: Int, at location: Location, reason: String) {
    lossCount = [lossCount, count].boundedSum
    lossKinds.add(ImportLoss(location, before: "", after: "", reason), count: count)
  }

  package mutating func addLoss(
    at location: Location, before: ImportValue, after: ImportValue, reason: String
  ) {
    let isListed = listsLosses
    add(
      ImportLoss(
        location, before: isListed ? before.shownText : "", after: isListed ? after.shownText : "",
        reason))
  }

  /// Adds the loss of a value that a column does not keep as it is.
  mutating func addLoss(of value: GraphValue, at location: Location) {
    switch value {
    case .text(let text):
      addLoss(
        at: location, before: .text(UTF16Text.escaped(text.bytes)), after: .text(text.string),
        reason: "an unpaired surrogate became U+FFFD")
    case .real(let number):
      let kept = RealColumn.kept(of: number)
      addLoss(at: location, before: .real(number), after: kept.value, reason: kept.reason)
    // All others are kept.
    default: break
    }
  }

  /// Adds a loss.
  mutating func add(_ loss: ImportLoss) {
    lossCount += 1
    lossKinds.add(loss)
    list(loss)
  }

  private mutating func list(_ loss: ImportLoss) {
    if losses.count < Self.maxEntries {
      losses.append(loss)
    } else {
      unlistedLosses.add(.lossyConversions, loss)
    }
  }

  /// Adds the losses that others have collected.
  package mutating func addLosses(of other: ImportFindings) {
    for loss in other.losses { list(loss) }
    unlistedLosses.append(other.unlistedLosses)
    lossCount += other.lossCount
    lossKinds.add(other.lossKinds)
  }

  /// Takes over the losses of a run that this one goes on with.
  package mutating func takeOver(
    _ losses: [ImportLoss], count: Int, kinds: [ImportLossKind],
    unlisted: UnlistedEntries
  ) {
    self.losses = losses
    lossCount = count
    lossKinds = LossKinds(kinds)
    unlistedLosses.append(unlisted)
  }
}

extension ImportValue {
  /// The value as a report shows it, shortened if it is long.
  var shownText: String {
    let text = storedText ?? kind
    return text.count > 200 ? text.prefix(200) + "…" : text
  }
}

/// A value of which something was lost.
public struct ImportLoss: Sendable, Hashable, Codable {
  /// The path of the archive.
  public var archive: String
  /// The object that held the value; nil for a top-level key.
  public var uid: Int?
  /// Its class.
  public var className: String
  /// The archived key.
  public var key: String
  /// The value before, with what cannot be written as text spelled out.
  public var before: String
  /// The value after.
  public var after: String
  /// The loss, in words.
  public var reason: String

  private enum CodingKeys: String, CodingKey {
    case archive, uid, key, before, after, reason
    case className = "class"
  }
}

extension ImportLoss {
  /// The class and the key, as far as they are known: "Note.text".
  package var location: String { [className, key].filter { !$0.isEmpty }.joined(separator: ".") }
}

extension ImportLoss {
  init(_ location: ImportFindings.Location, before: String, after: String, _ reason: String) {
    self.init(
      archive: location.archive ?? "", uid: location.uid, className: location.className ?? "",
      key: location.key ?? "", before: before, after: after, reason: reason)
  }
}

/// The numbers that columns declared as `REAL` change: they keep neither NaN nor the sign of zero.
enum RealColumn {
  /// True if a number is not kept as it is.
  static func changes(_ number: Double) -> Bool {
    number.isNaN || number == 0 && number.sign == .minus
  }

  /// The value that is kept of a number that is not kept as it is, and the loss, in words.
  static func kept(of number: Double) -> (value: ImportValue, reason: String) {
    number.isNaN
      ? (.null, "NaN became NULL, since the column is for numbers")
      : (.real(0), ConvertedValue.Loss.negativeZero.reason)
  }
}

/// Something that the archives hold and that the layout of the store has no place for.
public struct LayoutOmission: Sendable, Hashable, Codable {
  /// The kind of an omission.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// A value.
    case value
    /// A link between two rows.
    case link
    /// The place of a row in a collection that no object holds; the row is in the store.
    case order
    /// Rows that are alike in what the model says is unique, so that no index keeps it; the rows are
    /// in the store.
    case index
  }

  /// The kind of the omission.
  public var kind: Kind
  /// The entity; "top level" for what only top-level keys hold.
  public var entity: String
  /// The property, or the top-level key.
  public var property: String
  /// Why it is not there.
  public var reason: String
  /// The number of such omissions.
  public var count: Int

  package init(kind: Kind, entity: String, property: String, reason: String, count: Int) {
    (self.kind, self.entity, self.property) = (kind, entity, property)
    (self.reason, self.count) = (reason, count)
  }

  /// Rows that are alike in what the model says is unique.
  package init(repeated properties: [String], of entity: String, rows: Int) {
    self.init(
      kind: .index, entity: entity, property: properties.joined(separator: ", "),
      reason: "they are alike, though unique in the model", count: rows)
  }

  /// True if it is data that the store lacks.
  package var isOfContent: Bool { kind == .value || kind == .link }

  /// The name of what only top-level keys hold.
  package static let topLevel = "top level"

  /// True if another is of the same kind, so that only the counts differ.
  package func isSameKind(as other: LayoutOmission) -> Bool {
    (kind, entity, property, reason) == (other.kind, other.entity, other.property, other.reason)
  }
}
