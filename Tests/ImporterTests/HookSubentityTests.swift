import ArchiveWriter
import Converter
import TestSupport
import Testing

@Suite("Hooks that make rows of one of several subentities")
struct HookSubentityTests {
  private static let mapping = """
    entities:
      Shape: {abstract: true, attributes: {name: {type: string}}}
      Square: {parent: Shape, attributes: {width: {type: integer}}}
      Circle: {parent: Shape, attributes: {radius: {type: integer}}}
      Tag: {relationships: {square: {to: Square, toMany: false}}}
    """

  /// A tag that refers to a shape, which stands before or behind it.
  private static func conversion(
    _ className: String, becoming entity: String, isLast: Bool, hook: any ImportHook.Type,
    mapping: String = mapping
  ) throws -> SteeredConversion {
    let shape = GraphObject(className, ["name": .plain(.string(entity))])
    let tag = GraphObject("Tag", ["shape": .one(isLast ? 1 : 0)])
    return try SteeredConversion(
      [.graph(isLast ? [tag, shape] : [shape, tag])], mapping: mapping,
      ImportExtensions(hooks: [TagHook.self, hook]))
  }

  @Test(
    "fail where references to the object would be to rows of another", arguments: [true, false])
  func sibling(isLast: Bool) throws {
    let messages = try Self.conversion(
      "Square", becoming: "Circle", isLast: isLast, hook: AnyShapeHook.self
    ).failure()
    #expect(
      messages == [
        "a0.plist: object \(isLast ? 2 : 1) (Square): Square: the hook failed (references to the "
          + "object are to rows of this entity, but it created one of 'Circle': set entityName)"
      ])
  }

  @Test("relate rows of the subentity, which is found out later", arguments: [true, false])
  func subentity(isLast: Bool) throws {
    let (store, _) = try Self.conversion(
      "AnyShape", becoming: "Square", isLast: isLast, hook: ShapeHook.self
    ).run()
    #expect(
      try store.lines("SELECT name FROM Tag JOIN Square ON Square.id = square_id") == ["Square"])
  }

  @Test("are told where a link leads to a row of another", arguments: [true, false])
  func otherSubentity(isLast: Bool) throws {
    let messages = try Self.conversion(
      "AnyShape", becoming: "Circle", isLast: isLast, hook: ShapeHook.self
    ).failure()
    #expect(messages.count == 1)
    let words = "Tag.square: cannot refer to a row of this entity (\(isLast ? "Circle" : "Shape"))"
    #expect(messages.first?.contains(words) == true, "\(messages)")
  }
}

extension HookSubentityTests {
  /// Makes circles of squares.
  private final class CirclePolicy: MigrationPolicy {
    func createDestinationInstances(
      forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
    ) throws {
      let circle = try manager.context.insert(into: "Circle")
      manager.associate(source: source, with: circle, for: mapping)
    }
  }

  @Test("and policies alike")
  func policy() throws {
    var conversion = try Self.conversion(
      "Square", becoming: "Circle", isLast: true, hook: TagHook.self,
      mapping: Self.mapping.replacing(
        "Square: {parent: Shape", with: "Square: {policy: Circles, parent: Shape"))
    conversion.options.extensions.policies = ["Circles": CirclePolicy.self]
    #expect(
      try conversion.failure() == [
        "a0.plist: object 2 (Square): Square: the policy failed (CirclePolicy: references to the "
          + "object are to rows of this entity, but it created one of 'Circle')"
      ])
  }
}

/// Makes a row of the entity that the object names.
private struct AnyShapeHook: ImportHook {
  static let archivedClassNames = ["Square"]

  static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
    let name = try coder.decodeString(forKey: "name")
    let shape = try coder.insert(into: name ?? "")
    shape["name"] = name
    return shape
  }
}

/// Makes rows of any shape.
private struct ShapeHook: ImportHook {
  static let archivedClassNames = ["AnyShape"]
  static let entityName: String? = "Shape"

  static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
    try AnyShapeHook.insert(from: coder)
  }
}

private struct TagHook: ImportHook {
  static let archivedClassNames = ["Tag"]

  static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
    let tag = try coder.insert()
    tag["square"] = try coder.decodeObject(forKey: "shape")
    return tag
  }
}
