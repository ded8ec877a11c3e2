import Support

/// An entry of a list as the full report has it: a line with a JSON object, which has the fields of
/// the entry in the report in JSON, and the name of the list.
package struct FullReportLine<Entry: Encodable>: Encodable {
  private enum CodingKeys: String, CodingKey {
    case list
  }

  private let list: FullReportList
  private let entry: Entry

  package init(_ list: FullReportList, _ entry: Entry) { (self.list, self.entry) = (list, entry) }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(list, forKey: .list)
    try entry.encode(to: encoder)
  }

  /// The line, ended.
  package func text() throws -> String { try JSONDocument.line(of: self) }
}

/// The lists of a report that may be longer than other forms have them, in their order.
package enum FullReportList: String, Codable, CaseIterable {
  case rejected, skippedFiles, damages, differences, validationErrors, lossyConversions, conflicts
}
