import Foundation
import Importer

/// The report for people: what is printed on the terminal after a run.
struct ReportText {
  private let report: ConversionReport
  private let isVerbose: Bool
  private let isStyled: Bool

  init(_ report: ConversionReport, isVerbose: Bool, isStyled: Bool = true) {
    self.report = report
    self.isVerbose = isVerbose
    self.isStyled = isStyled
  }

  func text() -> String {
    var parts = [verdict, entities]
    if isVerbose { parts += report.entities.map(details) + [archives] }
    parts += [leftUnread, losses]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func styled(_ text: String, _ style: Console.Style) -> String {
    isStyled ? Console.styled(text, style) : text
  }

  // MARK: Parts

  private var verdict: String {
    let converted = report.archives.count { $0.outcome == .converted }
    let rejected = report.archives.count - converted
    var line = styled("Converted \(Self.count(converted, "archive"))", .green)
    if rejected > 0 { line += ", " + styled("rejected \(rejected)", .red) }
    let seconds = String(format: "%.2f s", report.seconds)
    let store =
      report.isDryRun
      ? "dry run, nothing was kept"
      : "\(Console.printable(report.storePath)), \(Self.size(report.storeBytes ?? 0))"
    return "\(line) in \(seconds) → \(store)\n"
  }

  private var entities: String {
    var table = TextTable(
      ["entity", "archived objects", "rows", "values", "links"],
      alignment: [.left, .right, .right, .right, .right], isStyled: isStyled)
    for entity in report.entities {
      table.add([
        entity.name, "\(entity.archivedObjects)", "\(entity.rows)", "\(entity.values)",
        "\(entity.links)",
      ])
    }
    if report.entities.count > 1 {
      func sum(_ value: (ConversionReport.Entity) -> Int) -> String {
        "\(report.entities.reduce(0) { $0 + value($1) })"
      }
      table.addTotal(["all", sum(\.archivedObjects), sum(\.rows), sum(\.values), sum(\.links)])
    }
    if report.entities.isEmpty { return "No objects: the archives hold plain values only.\n" }
    return table.text()
  }

  private func details(of entity: ConversionReport.Entity) -> String {
    var table = TextTable(
      [entity.name, "type", "values", "nil"], alignment: [.left, .left, .right, .right],
      isStyled: isStyled)
    for attribute in entity.attributes {
      table.add([attribute.name, attribute.type, "\(attribute.values)", "\(attribute.nulls)"])
    }
    for relationship in entity.relationships {
      let arrow = relationship.isToMany ? "→→" : "→"
      var type = "\(arrow) \(relationship.destination.isEmpty ? "any" : relationship.destination)"
      if let inverse = relationship.inverse { type += " (inverse: \(inverse))" }
      table.add([relationship.name, type, "\(relationship.links)", ""])
    }
    return table.text()
  }

  private var archives: String {
    var table = TextTable(
      ["archive", "format", "objects", "bytes", ""],
      alignment: [.left, .left, .right, .right, .left], isStyled: isStyled)
    for archive in report.archives {
      table.add([
        archive.path, archive.format ?? "", archive.objects.map(String.init) ?? "",
        archive.bytes.map(String.init) ?? "", archive.outcome.rawValue,
      ])
    }
    return table.text()
  }

  private var leftUnread: String {
    var lines: [String] = []
    lines.append(
      report.unreachableObjects == 0
        ? "Left unread: nothing; every value that a top-level key reaches is in the store."
        : "Left unread: \(Self.count(report.unreachableObjects, "object")) that nothing leads to.")
    if report.skippedFiles > 0 {
      lines.append(
        "Skipped: \(Self.count(report.skippedFiles, "file")) that "
          + (report.skippedFiles == 1 ? "holds" : "hold") + " no keyed archive.")
    }
    if report.sharedCollections > 0 {
      lines.append(
        "Shared: \(Self.count(report.sharedCollections, "collection")) that several objects hold; "
          + "each has a copy.")
    }
    for name in report.classesKeptAsObjects {
      lines.append(
        "Kept as objects: \(Console.printable(name)), since some hold other keys or values than "
          + "the class has.")
    }
    let characters = report.archives.reduce(0) { $0 + $1.forbiddenCharacters }
    if characters > 0 {
      lines.append("Kept: \(Self.count(characters, "control character")) that XML forbids.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var losses: String {
    guard report.lossCount > 0 else { return "" }
    var lines = [
      styled("Lossy: \(Self.count(report.lossCount, "value")) could not be kept exactly.", .yellow)
    ]
    for loss in report.losses.prefix(isVerbose ? report.losses.count : 10) {
      let place = loss.uid.map { "object \($0), " } ?? ""
      lines.append(
        "  \(Console.printable(loss.archive)): \(place)\(Console.printable(loss.className)) "
          + "\(Console.printable(loss.key)): \(loss.reason)")
    }
    if lines.count - 1 < report.lossCount { lines.append("  … and more: see a report in JSON.") }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Words

  static func count(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1_000: "\(bytes) bytes"
    case ..<1_000_000: String(format: "%.1f kB", Double(bytes) / 1e3)
    case ..<1_000_000_000: String(format: "%.1f MB", Double(bytes) / 1e6)
    default: String(format: "%.2f GB", Double(bytes) / 1e9)
    }
  }
}
