import Converter
import Foundation
import TestSupport

/// Converts sound files with and without damaged ones, and says what is wrong.
struct BatchRun {
  let parts: [BatchMember]
  let folder: TemporaryFolder
  let jobs: Int
  let hasModel: Bool
  private(set) var findings: [Finding] = []

  /// What is damaged, in words.
  private var forms: String {
    Set(parts.filter(\.isDamaged).map { "\($0.form)" }).sorted().joined(separator: " and ")
  }

  private mutating func note(_ kind: String, _ detail: String) {
    findings.append(
      Finding(way: CaseKind.batch.rawValue, kind: "damaged \(forms): \(kind)", detail: detail))
  }

  private func convert(
    _ inputs: [String], to name: String, stops: Bool = false
  ) throws(ConversionError) -> ConversionReport {
    var options = ConversionOptions()
    if hasModel { options.modelPath = folder.file(named: "Model.xcdatamodeld") }
    (options.jobs, options.verifies) = (jobs, true)
    options.errorPolicy = stops ? .stop : .skip
    var conversion = Conversion(
      inputs: inputs, destination: folder.file(named: name), options: options)
    return try conversion.run()
  }

  mutating func run(_ inputs: [String], sound: [String], damaged: [String]) throws {
    let before: Set<String>
    do throws(ConversionError) {
      before = try convert(sound, to: "sound").rejected
    } catch {
      // What cannot be converted together is no batch.
      return
    }
    for (path, part) in zip(damaged, parts.filter(\.isDamaged)) {
      guard (try? convert([path], to: "alone", stops: true)) != nil else { continue }
      note("the damage is not noticed", "\(part)")
      return
    }
    let report: ConversionReport
    do throws(ConversionError) {
      report = try convert(inputs, to: "all")
    } catch {
      return note("the run ends", "\(error)")
    }
    for (place, path) in damaged.enumerated() {
      let found = report.archives.first { $0.path == path }
      guard found?.outcome != .rejected || found?.error?.isEmpty != false else { continue }
      let outcome = found.map { "\($0.outcome), \($0.error ?? "no reason")" } ?? "not named"
      note("it is not rejected", "\(parts.filter(\.isDamaged)[place]): \(outcome)")
    }
    let rejected = report.rejected.subtracting(before).subtracting(damaged)
    for archive in report.archives where rejected.contains(archive.path) {
      note("a sound file is rejected", archive.error ?? "")
    }
    if let first = report.verification?.differences.first {
      return note("a comparison fails", "\(first)")
    }
    let difference = try DifferentialRun.difference(
      folder.file(named: "sound"), folder.file(named: "all"))
    if let difference { note("the sound files are converted otherwise", difference) }
  }
}

extension ConversionReport {
  /// The paths of the inputs that were rejected.
  fileprivate var rejected: Set<String> {
    Set(archives.filter { $0.outcome == .rejected }.map(\.path))
  }
}
