import ArchiveReader
import Importer

extension ReportText {
  /// What could not be read of damaged archives.
  var damages: String {
    let damaged = report.archives.filter { !$0.damages.isEmpty }
    guard !damaged.isEmpty else { return "" }
    let count = damaged.reduce(0) { $0 + $1.damages.count }
    var lines = [
      styled(
        "Salvaged: \(Self.count(damaged.count, "archive")) with damages; "
          + "\(Self.count(count, "part")) could not be read.", .yellow)
    ]
    let most = isVerbose ? 100 : 10
    for archive in damaged {
      for damage in archive.damages.prefix(most + 1 - lines.count) {
        lines.append(
          "  \(Console.printable(archive.path)): \(Console.printable("\(damage)"))")
      }
    }
    if lines.count - 1 < count { lines.append("  … and more: see a report in JSON.") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension ReportJSON.Archive {
  /// How many damages are listed of an archive.
  private static let mostDamages = 1_000

  init(_ archive: ConversionReport.Archive) {
    path = archive.path
    sha256 = archive.sha256
    bytes = archive.bytes
    format = archive.format
    outcome = archive.outcome.rawValue
    error = archive.error
    objects = archive.objects
    (parent, uid, key) = (archive.place?.outer, archive.place?.uid, archive.place?.key)
    guard !archive.damages.isEmpty else { return }
    damages = archive.damages.prefix(Self.mostDamages).map(ReportJSON.Damage.init)
    damagesLeftOut = max(0, archive.damages.count - Self.mostDamages)
  }
}

extension ReportJSON.Damage {
  fileprivate init(_ error: ArchiveError) {
    if case .object(let uid, let key) = error.position { (self.uid, self.key) = (uid, key) }
    if case .topLevelKey(let key) = error.position { self.key = key }
    reason = "\(error)"
  }
}
