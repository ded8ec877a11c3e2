import Importer

/// The findings of a verification so far.
package final class VerificationFindings {
  package private(set) var result = VerificationResult()
  /// For each place that was not compared, where it stands in the list.
  private var omissions: [Place: Int] = [:]

  /// The tables and columns that the store lacks.
  private var missing: Set<[String]> = []

  private struct Place: Hashable {
    var entity: String
    var property: String
    var reason: String
  }

  /// - Parameter spill: Takes the differences after those that are listed.
  package init(_ spill: EntrySpill? = nil) { result.unlistedDifferences = UnlistedEntries(spill) }

  /// The spill for the differences after those that are listed.
  package var spill: EntrySpill? { result.unlistedDifferences.spill }

  /// Counts a value that was compared.
  func countValue() { result.valuesCompared += 1 }

  /// Counts a reference that was compared from one of its sides.
  func countLink() { result.linksCompared += 1 }

  /// Counts a value of the store's own tables that was compared.
  func countEntry() { result.entriesCompared += 1 }

  /// Counts values and references that were compared all at once.
  package func count(values: Int, links: Int) {
    result.valuesCompared += values
    result.linksCompared += links
  }

  /// Adds what was found elsewhere.
  package func merge(_ other: VerificationResult) {
    count(values: other.valuesCompared, links: other.linksCompared)
    result.entriesCompared += other.entriesCompared
    var other = other
    // What each part of a comparison misses is told once.
    let known = other.differences.count
    other.differences.removeAll {
      $0.row == nil && Self.isMissingPart($0.expected, $0.found)
        && !missing.insert([$0.entity, $0.property]).inserted
    }
    other.differenceCount -= known - other.differences.count
    result.add(differencesOf: other)
    for omission in other.notCompared {
      omit(
        omission.entity, omission.property, reason: omission.reason, count: omission.count)
    }
  }

  /// Lists a difference.
  package func add(
    archive: String?, uid: Int? = nil, entity: String, row: Int64?, property: String,
    expected: @autoclosure () -> String, found: @autoclosure () -> String
  ) {
    var archive = archive
    if row == nil {
      let (expected, found) = (expected(), found())
      if Self.isMissingPart(expected, found) {
        // Whoever looks for it says so.
        guard missing.insert([entity, property]).inserted else { return }
        archive = nil
      }
    }
    result.differenceCount += 1
    guard result.differences.count < VerificationResult.maxDifferences || spill != nil else {
      return
    }
    result.list(
      VerificationResult.Difference(
        archive: archive, uid: uid, entity: entity, row: row, property: property,
        expected: expected(), found: found()))
  }

  /// True if a difference is a table or a column that the store lacks.
  private static func isMissingPart(_ expected: String, _ found: String) -> Bool {
    found == "nothing" && (expected == "a table" || expected == "a column")
  }

  /// Notes what was not compared.
  package func omit(_ entity: String, _ property: String = "", reason: String, count: Int = 1) {
    guard count > 0 else { return }
    let place = Place(entity: entity, property: property, reason: reason)
    if let known = omissions[place] {
      result.notCompared[known].count += count
      return
    }
    omissions[place] = result.notCompared.count
    result.notCompared.append(
      VerificationResult.Omission(
        entity: entity, property: property, reason: reason, count: count))
  }
}
