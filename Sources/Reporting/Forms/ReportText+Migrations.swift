import Migration
import Support

extension ReportText {
  /// The results of the steps of migrations.
  var migrations: String {
    var lines: [String] = []
    for migration in report.migrations {
      for step in migration.steps {
        lines.append(styled("Migration: \(PrintableText.printable(step.title)).", .bold))
        for line in "\(step.summary)".split(separator: "\n") {
          lines.append("  " + PrintableText.printable(String(line)))
        }
      }
    }
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }
}
