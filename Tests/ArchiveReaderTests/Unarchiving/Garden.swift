import ArchiveReader
import ArchiveWriter
import Foundation

// Classes that tests decode: a tree whose branches know their owner, and variants of it.

/// Refers to others by reference, so that nothing takes stack.
final class Branch: KeyedDecodable {
  static let archivedClassNames = ["Branch"]
  let name: String
  private(set) var next: Branch?
  private(set) var twigs: [Branch] = []
  private(set) var named: [String: Branch] = [:]

  init(coder: KeyedCoder) throws {
    name = try coder.decodeString(forKey: "name") ?? ""
    try coder.decodeReference(to: Branch.self, forKey: "next") { self.next = $0 }
    try coder.decodeReferences(to: Branch.self, forKey: "twigs") { self.twigs = $0 }
    try coder.decodeReferences(to: Branch.self, by: String.self, forKey: "named") {
      self.named = $0
    }
  }

  /// Lets go of what follows, one by one: a long list would be released recursively.
  func cut() {
    var rest = next
    next = nil
    while let branch = rest {
      rest = branch.next
      branch.next = nil
    }
  }
}

/// Decodes what it refers to in place, and registers itself before.
class Root: KeyedDecodable {
  class var archivedClassNames: [String] { ["Root"] }
  var name = ""
  var next: Root?

  required init(coder: KeyedCoder) throws {
    coder.register(self)
    name = try coder.decodeString(forKey: "name") ?? ""
    next = try coder.decodeObject(of: Root.self, forKey: "next")
  }
}

/// A subclass, which decodes objects of a class of its own.
final class Taproot: Root {
  override class var archivedClassNames: [String] { ["Taproot"] }
  let depth: Int

  required init(coder: KeyedCoder) throws {
    depth = try coder.decodeInteger(forKey: "depth")
    try super.init(coder: coder)
  }
}

/// A value that decodes another one in place.
struct Leaf: KeyedDecodable {
  static let archivedClassNames = ["Garden.Plant.Leaf"]
  let name: String
  let inner: [Leaf]

  init(coder: KeyedCoder) throws {
    name = try coder.decodeString(forKey: "name") ?? ""
    inner = try coder.decodeArrayOfObjects(of: Leaf.self, forKey: "inner") ?? []
  }
}

/// A value with a reference to an object that comes later.
struct Tag: KeyedDecodable {
  static let archivedClassNames = ["Tag"]
  let owner: ObjectReference<Branch>?

  init(coder: KeyedCoder) throws {
    owner = try coder.decodeReference(to: Branch.self, forKey: "owner")
  }
}

extension KeyedUnarchiver {
  /// An unarchiver of an archive that is made by a body.
  static func of(
    _ types: [any KeyedDecodable.Type],
    _ makeRoot: (inout KeyedArchiveBuilder) throws -> PropertyListValue,
    configure: (inout UnarchivingOptions) -> Void = { _ in }
  ) throws -> KeyedUnarchiver {
    var options = UnarchivingOptions(types: types)
    configure(&options)
    let archive = try KeyedArchiveBuilder.archive(makeRoot)
    return try KeyedUnarchiver(bytes: archive.binary(), options: options)
  }
}
