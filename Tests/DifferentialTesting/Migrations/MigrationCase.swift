import Converter
import DataModel
import Foundation
import TestSupport

/// A store whose model has changed: each object, value and link is in the migrated store that the
/// changes leave there.
struct MigrationCase: PartedCase {
  let seed: UInt64
  private let form: StoreForm
  private let layout: StoreLayout
  private let content: StoreContent
  var parts: [ModelChange] = []

  init(seed: UInt64) {
    self.seed = seed
    var generator = StoreContentGenerator(seed: seed)
    content = generator.make()
    form = generator.chance(70) ? .sqlite : generator.one(of: [.xml, .binary])
    layout = generator.chance(50) ? .relational : .coreData
    for number in 0..<generator.number(in: 1...5) {
      if let change = ModelChange.draw(number: number, content, &generator) { parts.append(change) }
    }
  }

  var description: String {
    let entities = content.model.entities.map { entity in
      "\(entity.name): \(entity.parent ?? "") \(entity.attributes.map { "\($0.name) \($0.type)" }) "
        + "\(entity.relationships.map { "\($0.name) \($0.isToMany ? "→→" : "→") \($0.destinations)" })"
    }
    return (["\(form.rawValue) store, \(layout) layout"] + entities + parts.map { "\($0)" })
      .joined(separator: "\n")
  }

  private var migrated: StoreContent {
    var migrated = content
    for (number, change) in parts.enumerated() { migrated.apply(change, number: number) }
    return migrated
  }

  func write(into folder: String) throws {
    let path = "\(folder)/store"
    switch form {
    case .sqlite: try SQLiteStoreDraft(content).write(to: path)
    case .xml: try XMLStoreDraft(content).bytes.write(to: URL(fileURLWithPath: path))
    case .binary: try BinaryStoreDraft(content).bytes.write(to: URL(fileURLWithPath: path))
    }
    try XMLModelWriter(content.model).write(to: "\(folder)/One.xcdatamodeld")
    try XMLModelWriter(migrated.model).write(to: "\(folder)/Two.xcdatamodeld")
  }

  func findings() throws -> [Finding] {
    let folder = try TemporaryFolder()
    try write(into: folder.path)
    var run = MigrationRun(
      layout: layout, migrated: migrated, isLossless: isLossless, folder: folder)
    try run.run()
    return run.findings
  }

  /// Whether each object, value and link is still there.
  private var isLossless: Bool {
    func counts(_ content: StoreContent) -> [Int] {
      [
        content.objects.count,
        content.objects.map { $0.links.values.map(\.count).reduce(0, +) }
          .reduce(0, +),
      ]
    }
    var kept = content
    for (number, change) in parts.enumerated() {
      let before = kept
      kept.apply(change, number: number)
      let values = (before.objects.map(\.values.count), kept.objects.map(\.values.count))
      if counts(before) != counts(kept) || zip(values.0, values.1).contains(where: >) {
        return false
      }
    }
    return true
  }
}
