import ArchiveWriter
import Converter
import Foundation
import TestSupport
import Testing

@Suite("Elements that Core Data cannot keep exactly")
struct ElementLossTests {
  /// Converts two archives by a draft, of which the second holds elements with a sign of zero.
  private func convert(verifies: Bool, in folder: TemporaryFolder) throws -> ConversionReport {
    let inputs = try [1.5, -0.0].enumerated().map { index, number in
      let archive = KeyedArchiveBuilder.archive { archive in
        let pairs = archive.dictionary([archive.string("a b"): .real(number)])
        return archive.instance(
          of: "Doc", ["body": archive.array([.real(2.5), .real(number)]), "pairs": pairs])
      }
      return try folder.write(archive.binary(), to: "\(index).archive")
    }
    var options = ConversionOptions.pairs
    try InferredDraft(inputs: inputs, options: options)
      .write(
        mapping: folder.file(named: "m.yaml"), model: folder.file(named: "M.xcdatamodeld"),
        replacing: false)
    options.mappingPath = folder.file(named: "m.yaml")
    options.layout = .coreData
    options.verifies = verifies
    var conversion = Conversion(
      inputs: inputs, destination: folder.file(named: "out.sqlite"), options: options)
    return try conversion.run()
  }

  @Test("are listed with the archive and the object that held them", arguments: [false, true])
  func origins(verifies: Bool) throws {
    let folder = try TemporaryFolder()
    let report = try convert(verifies: verifies, in: folder)
    let path = folder.file(named: "1.archive")
    #expect(
      report.losses.map { [$0.archive, $0.className, $0.key, $0.before, $0.after] } == [
        [path, "Doc_body", "value", "-0.0", "0.0"], [path, "Doc_pairs", "value", "-0.0", "0.0"],
      ])
    let lost = "a Core Data store cannot represent it exactly: in \(path) object 9"
    #expect(
      ReportText(report, isVerbose: false).text().contains(
        """
        Lossy: 2 values could not be kept exactly.
          Doc_body.value: \(lost)
          Doc_pairs.value: \(lost)

        """))
  }
}
