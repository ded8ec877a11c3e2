import ArchiveReader
import Importer
import Support

/// A model none of whose entities is met by a class of the archives.
public struct UnmetModel: Error, Sendable, Hashable {
  /// The path of the model.
  public let path: String
  /// The archived classes.
  public let classes: [String]
  /// The prefix that would have to be stripped from most of them; nil if none would help.
  public let prefix: String?
  /// The number of classes that would meet an entity then.
  public let metCount: Int

  /// Looks for an archived class whose objects become anything by a plan.
  ///
  /// - Returns: Nil if there is one, or if there is nothing to convert.
  init?(path: String, _ model: Model, _ plan: ImportPlan, _ profile: SchemaProfile) {
    let found = profile.classes.filter { $0.count > 0 && !plan.ignores(className: $0.name) }
    guard !found.isEmpty, !found.contains(where: { plan.converts(className: $0.name) }) else {
      return nil
    }
    self.path = path
    classes = found.map(\.name).sorted()
    let entities = Set(model.entities.map(\.name))
    let prefixes = classes.compactMap { Self.prefix(of: $0, before: entities) }
    let counts: [(prefix: String, count: Int)] = Set(prefixes).sorted().map { prefix in
      (prefix, prefixes.count { $0 == prefix })
    }
    let best = counts.max { $0.count < $1.count }
    (prefix, metCount) = (best?.prefix, best?.count ?? 0)
  }

  /// The shortest prefix without which a class has the name of an entity.
  private static func prefix(of className: String, before entities: Set<String>) -> String? {
    let name = EntityName.plain(className, stripPrefix: nil)
    return name.indices.dropFirst().lazy.map { String(name[..<$0]) }.first { prefix in
      let rest = EntityName.plain(className, stripPrefix: prefix)
      return rest != name && entities.contains(rest)
    }
  }
}

extension UnmetModel: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    let most = 3
    var names = classes.prefix(most).map { "'\($0)'" }
    if classes.count > most {
      names.append(Words.count(classes.count - most, "more class", plural: "more classes"))
    }
    let advice =
      if let prefix {
        "--strip-prefix \(prefix) finds entities for \(metCount) of \(classes.count)"
      } else { "a mapping file can assign them, and 'infer' drafts one" }
    return "\(path): has no entity for any class of the archives, \(Words.list(names, "and")); "
      + advice
  }
}
