import DataModel
import Foundation
import TestSupport

/// A file of a batch.
struct BatchMember: Sendable, CustomStringConvertible {
  enum Form: Sendable, Hashable, CustomStringConvertible {
    case archive, archiveXML
    case store(StoreForm)

    static let all = [.archive, .archiveXML] + StoreForm.allCases.map { Form.store($0) }

    var description: String {
      switch self {
      case .archive: "binary archive"
      case .archiveXML: "XML archive"
      case .store(let form): "\(form.rawValue) store"
      }
    }
  }

  var form: Form
  /// What an archive holds: the first is used.
  var files: [ArchivedFile] = []
  /// What a store holds.
  var content: StoreContent?
  /// How many of a thousand bytes are left, if it is cut.
  private var share: Int?
  /// What is wrong in it otherwise.
  private var surplus: Surplus?

  init(form: Form, files: [ArchivedFile] = [], content: StoreContent? = nil) {
    (self.form, self.files, self.content) = (form, files, content)
  }

  var isDamaged: Bool { share != nil || surplus != nil }

  var description: String {
    let damage = surplus.map { "\($0)" } ?? share.map { "cut at \($0) of 1,000" }
    return "\(form)\(damage.map { ", \($0)" } ?? "")"
  }

  /// Damages it.
  mutating func damage(_ generator: inout StoreContentGenerator) {
    if case .store(let form) = form, let content, generator.chance(60) {
      let kinds: [Surplus.Kind] = [.wrongEntity, .missingEntity, .danglingLink, .emptyLink]
      let drawn = Surplus.draw(generator.one(of: kinds), number: 10, in: content, form, &generator)
      if let drawn, drawn.isDamage(in: form, content) {
        surplus = drawn
        self.content?.objects += drawn.hosts(content, form, &generator)
        return
      }
    }
    share = generator.number(in: 300...900)
  }

  func write(to path: String) throws {
    let url = URL(fileURLWithPath: path)
    guard let content else {
      var file = files[0]
      file.isXML = form == .archiveXML
      return try cut(Data(file.bytes())).write(to: url)
    }
    let host = [content.objects.count - 1]
    switch form {
    case .store(.xml):
      var draft = XMLStoreDraft(content)
      if let surplus { draft.add(surplus, host) }
      try cut(draft.bytes).write(to: url)
    case .store(.binary):
      var draft = BinaryStoreDraft(content)
      if let surplus { draft.add(surplus, host) }
      try cut(draft.bytes).write(to: url)
    default:
      var draft = SQLiteStoreDraft(content)
      if let surplus { draft.add(surplus, host) }
      try draft.write(to: path)
      if share != nil { try cut(Data(contentsOf: url)).write(to: url) }
    }
  }

  private func cut(_ bytes: Data) -> Data {
    share.map { bytes.prefix(bytes.count * $0 / 1_000) } ?? bytes
  }
}
