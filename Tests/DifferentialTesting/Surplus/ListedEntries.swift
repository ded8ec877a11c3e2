import Converter
import Foundation

/// What a report lists, an entry for each thing: whatever list it is in, those of later versions
/// included.
struct ListedEntries {
  private(set) var entries: [String] = []

  /// The parts of a report that say what was done as intended.
  private static let neutral: Set<String> = [
    "converter", "startedAt", "seconds", "store", "entities", "verification",
  ]

  init(_ report: ConversionReport) throws {
    let text = try report.text(as: .json)
    let fields = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    for (name, value) in fields where !Self.neutral.contains(name) {
      switch (name, value) {
      case ("archives", let archives as [[String: Any]]):
        for archive in archives {
          entries += (archive["damages"] as? [Any] ?? []).map { "\($0)" }
          entries += [archive["error"], archive["reason"]].compactMap { $0.map { "\($0)" } }
        }
      case ("unreachableObjects", let count as Int) where count > 0:
        entries.append("unreachable: \(count)")
      case (_, let list as [Any]): entries += list.map { "\($0)" }
      default: break
      }
    }
  }
}
