import Support

/// A list of a report as a table, for the forms that are documents.
struct ReportSection {
  /// The lists that a report may have, in their order: what failed first, then what is missing, then
  /// what was read.
  enum Name: String, CaseIterable {
    case rejected
    case damages
    case differences
    case notCompared
    case brokenRules
    case lossKinds
    case losses
    case conflicts
    case unreadKeys
    case unmappedClasses
    case unvisited
    case omissions
    case unusedNames
    case migrations
    case storeNotes
    case views
    case skipped
    case archives
    case filtered
    case ignoredKeys
    case derivedKeys
    case keptAsObjects
    case bothSides
    case modelNotes

    /// True if the list stands after the entities: it holds what is as it was asked for.
    var followsEntities: Bool {
      switch self {
      case .filtered, .ignoredKeys, .derivedKeys, .keptAsObjects, .bothSides, .modelNotes: true
      default: false
      }
    }
  }

  /// The content of a cell.
  enum Cell {
    /// Words of the report itself.
    case words(String)
    /// A text from a file: a path, a name, a value.
    case quoted(String)
    case number(Int)
    /// A path, and the digest of the file in hexadecimal.
    case file(String, digest: String?)
    /// The outcome of an archive.
    case outcome(ConversionReport.Archive.Outcome)
    case nothing
  }

  var name: Name
  var title: String
  /// The description of the list, in a sentence.
  var explanation: String
  var columns: [String]
  var rows: [[Cell]]
  /// The number of rows that are left out.
  var leftOut: Int
  /// True if the report itself does not have all rows.
  private let isCut: Bool

  init(
    _ name: Name, _ title: String, _ explanation: String, columns: [String], rows: [[Cell]],
    leftOut: Int = 0
  ) {
    (self.name, self.title, self.explanation) = (name, title, explanation)
    (self.columns, self.rows, self.leftOut) = (columns, rows, leftOut)
    isCut = leftOut > 0
  }

  /// True if a column holds numbers.
  func isNumeric(_ column: Int) -> Bool {
    guard let cell = rows.first(where: { !$0[column].isNothing })?[column] else { return false }
    if case .number = cell { return true }
    return false
  }

  /// The section with at most this many rows; what was rejected is never left out.
  func capped(to most: Int) -> ReportSection {
    guard rows.count > most, name != .rejected else { return self }
    var section = self
    section.rows = Array(rows.prefix(most))
    section.leftOut = [leftOut, rows.count - most].boundedSum
    return section
  }

  /// The last line of a list that was cut; nil if it was not.
  var remark: String? {
    guard leftOut > 0 else { return nil }
    let place = isCut ? "use --report-full to list all" : "see the JSON report"
    return "… and \(Words.grouped(leftOut)) more: \(place)."
  }
}

extension ReportSection.Cell {
  /// A number, or nothing.
  static func number(_ number: Int?) -> Self { number.map { .number($0) } ?? .nothing }
  /// A text from a file, or nothing.
  static func quoted(_ text: String?) -> Self { text.map { .quoted($0) } ?? .nothing }

  var isNothing: Bool {
    if case .nothing = self { return true }
    return false
  }
}
