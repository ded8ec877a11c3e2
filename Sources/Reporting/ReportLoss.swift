import Support

/// Content of the inputs that is not in the store as it was, in numbers.
///
/// All that a verdict says of losses is derived from these, in every form.
struct ReportLoss {
  /// The kinds of content, in the order in which a verdict names them.
  enum Content: CaseIterable {
    /// Objects that a model, a mapping or hooks made nothing of.
    case unconvertedObjects
    /// Objects that a migration left behind.
    case objects
    case values
    case links
    /// Values that are in the store, but not as they were.
    case inexactValues
    /// Whole inputs: archives that were rejected, and files that hold objects in other forms.
    case inputs
    /// Content that a verdict has words of its own for, or that only a finding names.
    case other
    /// Content that was left out on request, such as keys that are ignored.
    case onPurpose
    /// Content of which nobody knows whether it is missing: a policy took it.
    case unknown
  }

  var content: Content
  var count: Int

  init(_ content: Content, _ count: Int) { (self.content, self.count) = (content, count) }

  /// The clauses of a verdict: "3 of 204 objects became rows", "13 values were left behind".
  static func clauses(_ report: ConversionReport) -> [String] {
    let losses = ReportFinding.all(in: report).flatMap(\.losses)
    func sum(_ content: Content) -> Int {
      losses.filter { $0.content == content }.map(\.count).boundedSum
    }
    var clauses: [String] = []
    let unconverted = sum(.unconvertedObjects)
    var left = [
      (sum(.objects), "object"), (sum(.values), "value"), (sum(.links), "link"),
    ]
    if unconverted > 0 {
      if let found = report.archivedObjects, found >= unconverted {
        let filtered = report.filteredObjects.map(\.count).boundedSum
        let converted = max(0, found - unconverted - filtered)
        clauses.append("\(Words.grouped(converted)) of \(Words.count(found, "object")) became rows")
      } else {
        left[0].0 = [left[0].0, unconverted].boundedSum
      }
    }
    left.removeAll { $0.0 == 0 }
    if !left.isEmpty {
      let words = Words.list(left.map { Words.count($0.0, $0.1) }, "and")
      let isOne = left.count == 1 && left[0].0 == 1
      clauses.append("\(words) \(isOne ? "was" : "were") left behind")
    }
    let inexact = sum(.inexactValues)
    if inexact > 0 {
      clauses.append("\(Words.count(inexact, "value")) could not be kept exactly")
    }
    return clauses
  }
}

extension ConversionReport {
  /// True if objects were found, and nothing of them is in the store.
  public var isWithoutRows: Bool {
    (archivedObjects ?? 0) > 0 && (hasStore || isDryRun)
      && unmappedClasses.count + unvisitedObjects.count > 0
      && entities.allSatisfy { $0.rows == 0 }
  }

  /// That no row was made of any object, in words; nil if there are rows, or nothing to make them
  /// of.
  public var missingRows: String? {
    isWithoutRows ? ReportLoss.clauses(self).first : nil
  }

  /// True if all content of the archives is in the store as it was.
  var isWhole: Bool { losesNothing(but: []) }

  /// True if all content of the archives that were converted is in the store as it was.
  var areConvertedArchivesWhole: Bool { losesNothing(but: [.inputs]) }

  /// The losses that `--strict` does not accept, in words; nil if there are none.
  ///
  /// What was left out on purpose is no loss, nor is what may be missing.
  public var knownLosses: String? {
    let found = ReportFinding.all(in: self).filter { finding in
      finding.losses.contains { $0.content != .onPurpose && $0.content != .unknown }
    }
    guard !found.isEmpty else { return nil }
    return found.map { $0.sentence.hasSuffix(".") ? String($0.sentence.dropLast()) : $0.sentence }
      .joined(separator: "; ")
  }

  private func losesNothing(but exceptions: Set<ReportLoss.Content>) -> Bool {
    (hasStore || isDryRun) && knowsContent
      && ReportFinding.all(in: self).flatMap(\.losses).allSatisfy {
        exceptions.contains($0.content)
      }
  }
}
