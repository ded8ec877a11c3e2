import Converter
import DataModel
import Foundation
import TestSupport

/// Damaged files beside sound ones: the sound ones are converted as without them, the damaged ones
/// rejected by name.
struct BatchCase: PartedCase {
  let seed: UInt64
  /// The model of the stores that do not carry theirs; nil if there is none.
  private var model: Model?
  private let jobs: Int
  private let isDirectory: Bool
  var parts: [BatchMember] = []

  init(seed: UInt64) {
    self.seed = seed
    var generator = StoreContentGenerator(seed: seed)
    jobs = generator.number(in: 1...2)
    isDirectory = generator.chance(40)
    var archives = CaseGenerator(seed: seed)
    let files = archives.make().files
    parts = files.map { BatchMember(form: $0.isXML ? .archiveXML : .archive, files: [$0]) }
    for _ in 0..<generator.number(in: 0...2) {
      parts.append(BatchMember(form: .store(.sqlite), content: generator.make()))
    }
    for _ in 0..<generator.number(in: 1...2) {
      var damaged = BatchMember(form: generator.one(of: BatchMember.Form.all), files: files)
      if case .store(let form) = damaged.form {
        damaged.content = generator.make()
        if form != .sqlite { model = model ?? damaged.content?.model }
      }
      damaged.damage(&generator)
      parts.insert(damaged, at: generator.number(in: 0...parts.count))
    }
  }

  var description: String {
    "\(isDirectory ? "folder" : "files") of \(parts.map(\.description))"
  }

  private func name(_ place: Int) -> String { "f\(place)" }

  func write(into folder: String) throws {
    for (place, part) in parts.enumerated() { try part.write(to: "\(folder)/\(name(place))") }
  }

  func findings() throws -> [Finding] {
    let folder = try TemporaryFolder()
    let paths = parts.indices.map { folder.file(named: "in/\(name($0))") }
    let sound = parts.indices.filter { !parts[$0].isDamaged }.map { paths[$0] }
    let damaged = parts.indices.filter { parts[$0].isDamaged }.map { paths[$0] }
    guard !sound.isEmpty, !damaged.isEmpty else { return [] }
    try FileManager.default.createDirectory(
      atPath: folder.file(named: "in"), withIntermediateDirectories: true)
    try write(into: folder.file(named: "in"))
    if let model { try XMLModelWriter(model).write(to: folder.file(named: "Model.xcdatamodeld")) }
    var run = BatchRun(parts: parts, folder: folder, jobs: jobs, hasModel: model != nil)
    try run.run(
      isDirectory ? [folder.file(named: "in")] : paths, sound: sound, damaged: damaged)
    return run.findings
  }
}
