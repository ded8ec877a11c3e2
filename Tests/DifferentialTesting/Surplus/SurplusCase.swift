import ArchiveWriter
import Converter
import DataModel
import Foundation
import TestSupport

/// A store with things that its model does not ask for: each is in what is made of the store, or
/// listed; what is damaged is refused, or left out and listed.
struct SurplusCase: PartedCase {
  let seed: UInt64
  let form: StoreForm
  let layout: StoreLayout
  let jobs: Int
  private let content: StoreContent
  var parts: [Surplus] = []

  init(seed: UInt64) {
    self.seed = seed
    var generator = StoreContentGenerator(seed: seed)
    form = generator.one(of: StoreForm.allCases)
    layout = generator.chance(70) ? .relational : .coreData
    jobs = generator.number(in: 1...2)
    content = generator.make()
    for number in 0..<generator.number(in: 0...3) {
      let kind = generator.one(of: Surplus.Kind.allCases)
      let surplus = Surplus.draw(kind, number: 10 + number, in: content, form, &generator)
      if let surplus { parts.append(surplus) }
    }
  }

  var description: String {
    "\(form.rawValue) store, \(layout) layout, with \(parts.map(\.description))"
  }

  /// All objects, and those that have each surplus.
  private var whole: (content: StoreContent, hosts: [[Int]]) {
    var generator = StoreContentGenerator(seed: seed)
    var whole = content
    let hosts = parts.map { part in
      let first = whole.objects.count
      whole.objects += part.hosts(content, form, &generator)
      if part.kind == .doubledLink, whole.objects.count == first + 2,
        let link = content.whole(part.entity).relationships.first(where: {
          $0.name == part.property
        })
      {
        whole.link(first, link, to: first + 1)
      }
      return Array(first..<whole.objects.count)
    }
    return (whole, hosts)
  }

  func write(into folder: String) throws {
    let (content, hosts) = whole
    let path = "\(folder)/store"
    switch form {
    case .sqlite:
      var draft = SQLiteStoreDraft(content)
      for (part, hosts) in zip(parts, hosts) { draft.add(part, hosts) }
      try draft.write(to: path)
    case .xml:
      var draft = XMLStoreDraft(content)
      for (part, hosts) in zip(parts, hosts) { draft.add(part, hosts) }
      try draft.bytes.write(to: URL(fileURLWithPath: path))
    case .binary:
      var draft = BinaryStoreDraft(content)
      for (part, hosts) in zip(parts, hosts) { draft.add(part, hosts) }
      try draft.bytes.write(to: URL(fileURLWithPath: path))
    }
    try XMLModelWriter(content.model).write(to: "\(folder)/Model.xcdatamodeld")
  }

  func findings() throws -> [Finding] {
    let folder = try TemporaryFolder()
    try write(into: folder.path)
    var run = SurplusRun(
      form: form, layout: layout, jobs: jobs, parts: parts, content: whole.content, folder: folder)
    try run.run()
    return run.findings
  }
}
