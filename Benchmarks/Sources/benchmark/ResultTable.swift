import Foundation

/// What was measured, as tables in Markdown.
struct ResultTable {
  private(set) var text = ""

  init(machine: Machine, rounds: Int, slowRounds: Int) {
    text = """
      \(machine.description)

      Medians of \(rounds) rounds; programs that take more than 10 s ran in \(slowRounds).

      """
  }

  /// Begins a table.
  mutating func begin(_ title: String) {
    text += """

      ### \(title)

      | | time | CPU | memory | ÷ limit | plistlib | Foundation |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: |

      """
  }

  /// Adds a row.
  mutating func add(_ title: String, _ results: [Comparison.Role: Comparison.Result]) -> String {
    let ours = results[.ours]?.runs ?? []
    func times(_ role: Comparison.Role) -> String {
      results[role].map { "\($0.ratios.median.short) ×" } ?? ""
    }
    let limit = results[.limit].map { $0.ratios.map { 1 / $0 }.median.short } ?? ""
    let cells = [
      title, "\(ours.map(\.wall).median.short) s", "\(ours.map(\.cpu).median.short) s",
      "\((ours.map { Double($0.memory) }.max() ?? 0).mebibytes) MiB", limit, times(.plistlib),
      times(.foundation),
    ]
    let row = "| \(cells.joined(separator: " | ")) |"
    text += row + "\n"
    return row
  }
}

extension Double {
  fileprivate var mebibytes: Int { Int((self / 1_048_576).rounded()) }
}

/// The machine, and the day.
struct Machine {
  var description: String {
    let day = ISO8601DateFormatter()
    day.formatOptions = [.withFullDate]
    let processors = ProcessInfo.processInfo.processorCount
    let memory = Int((Double(ProcessInfo.processInfo.physicalMemory) / 1_073_741_824).rounded())
    return
      "\(day.string(from: Date())): \(processor), \(processors) processors, \(memory) GiB, "
      + ProcessInfo.processInfo.operatingSystemVersionString + "."
  }

  private var processor: String {
    let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = lines.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
      ?? "unknown processor"
  }
}
