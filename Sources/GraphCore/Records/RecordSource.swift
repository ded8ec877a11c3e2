/// A source in which dictionaries that are records are objects.
///
/// It is read like any other: each record is an object of the class that the rules give it, with
/// the dictionary's keys. The values under the top-level keys are those of one more object, the
/// document, unless all of them are objects. Everything else is as the source has it.
package final class RecordSource: LayeredSource {
  /// The source as it is.
  package let base: any GraphSource
  let rules: RecordRules
  let index: RecordIndex
  package let roots: [GraphRoot]

  /// The source with its records; the source itself if it has none, or if it is damaged: whoever
  /// reads it meets the damage.
  ///
  /// - Complexity: Linear in the values that are reached, if it may hold dictionaries.
  package static func make(
    _ base: any GraphSource, _ rules: RecordRules, _ options: GraphOptions
  ) -> any GraphSource {
    guard !rules.isEmpty, base.mayHaveRecords,
      let index = try? RecordIndex(base, rules, options), !index.isEmpty
    else { return base }
    return RecordSource(base, rules, index)
  }

  private init(_ base: any GraphSource, _ rules: RecordRules, _ index: RecordIndex) {
    (self.base, self.rules, self.index) = (base, rules, index)
    roots =
      index.document == nil
      ? base.roots : [GraphRoot(key: RecordPath.topLevel.text, index: 0, isReference: true)]
  }

  /// The number of the object that holds the values under the top-level keys; nil if there is none.
  package var documentUID: Int? { index.documentNumber }

  package var residentBytes: Int { base.residentBytes + index.byteCount }
  package var objectCount: Int { index.count }
  package var valueCount: Int { base.valueCount + roots.count }

  package func makeGraph(_ options: GraphOptions) -> any ObjectGraph {
    Graph(self, base.makeGraph(options), options)
  }
}

extension GraphSource {
  /// The source without the records that it is read with.
  package var withoutRecords: any GraphSource { (self as? RecordSource)?.base ?? self }

  /// True if dictionaries of it can be records: it has roots, and its values stay where they are.
  fileprivate var mayHaveRecords: Bool { !holdsEveryObject && keepsBytes }

  /// The evidence of its dictionaries; empty if it is damaged.
  ///
  /// - Complexity: Linear in the values that are reached, if it may hold dictionaries.
  package func recordEvidence(_ options: GraphOptions) -> RecordEvidence {
    let source = withoutRecords
    guard source.mayHaveRecords, source.mayHoldDictionaries else { return RecordEvidence() }
    var walk = RecordSource.Walk(source.makeGraph(options), nil)
    return (try? walk.evidence()) ?? RecordEvidence()
  }
}
