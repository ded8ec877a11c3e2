import ArchiveReader
import Importer
import Stores

extension ExpectedRows {
  /// The uses of the keys of plain objects of one class and shape, found out once for all of them.
  final class PlainKeys: Sendable {
    /// A key that feeds a property.
    struct Use: Sendable {
      /// The position of the key among those of the shape.
      var position: Int
      /// The property, by its place among those of the entity.
      var property: Int
      /// The storage of the property.
      var storage: RelationalLayout.PropertyStorage
      /// The relationships of its name, by their indices.
      var toOne: Int?
      var toMany: Int?
    }

    let classID: ClassID
    let entity: Int
    /// The name of the entity.
    let name: String
    /// The column that holds it, if there is one.
    let discriminator: Int?
    /// The table of the properties for which the entity's own has no room.
    let overflow: Int?
    let uses: [Use]
    /// The uses of keys under which rows or collections can stand.
    let leading: [Use]

    /// - Parameters:
    ///   - classID: The class.
    ///   - keys: The keys of the shape.
    ///   - names: For each key that is read, the property.
    ///   - entity: The entity.
    ///   - run: The run.
    init(
      _ classID: ClassID, _ keys: [String], _ names: [String: String], entity: Int,
      _ run: ExpectedRun
    ) {
      self.classID = classID
      self.entity = entity
      let form = run.plan.layout.entities[entity]
      name = form.name
      discriminator = form.discriminator
      overflow = form.overflow
      var uses: [Use] = []
      var leading: [Use] = []
      for (position, key) in keys.enumerated() where key != "$class" {
        guard let index = names[key].flatMap({ run.index(ofProperty: $0, entity) }) else {
          continue
        }
        let property = run.properties[entity][index]
        let use = Use(
          position: position, property: index, storage: property.storage, toOne: property.toOne,
          toMany: property.toMany)
        uses.append(use)
        if property.leadsAnywhere { leading.append(use) }
      }
      self.uses = uses
      self.leading = leading
    }
  }
}
