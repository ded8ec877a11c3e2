import ArchiveReader
import DataModel
import Stores

extension StoreForm {
  /// A key of a class, and the places of its values.
  final class Property {
    let name: String
    /// The table and the name, for messages.
    let title: String
    /// The key as it is archived.
    let key: String
    /// The type of the values in the column.
    var type = AttributeType.mixed
    var value: Int?
    var runs: Int?
    var reference: Int?
    var referenceType: Int?
    /// The table that references lead to, where there is one only.
    var target: String?
    /// The column that tells an empty collection from none.
    var count: Int?
    var elements: Elements?
    /// True if all values are in the column.
    var isPlain: Bool { reference == nil && elements == nil && runs == nil }
    /// The key where the object is written.
    let part: ArchiveCopy.Part
    /// The elements, once somebody has asked for some.
    var rows: RowsByID?

    init(_ name: String, key: String, of table: String) {
      (self.name, self.key) = (name, key)
      title = "\(table), \(name)"
      part = .leaf(.string(ArchivedName.plain(key)))
    }
  }

  /// The rows with the elements of collections.
  final class Elements {
    let table: String
    let owner: String
    var position: String?
    var key: String?
    var keyReference: String?
    var keyType: String?
    var value: String?
    var valueType = AttributeType.mixed
    var reference: String?
    var referenceType: String?
    var target: String?
    /// True if they are the members themselves, of which those without a position are none.
    var areMembers = false
    var isKeyed: Bool { key != nil || keyReference != nil }

    init(
      table: String, owner: String, position: String?, reference: String? = nil,
      referenceType: String? = nil, target: String? = nil, areMembers: Bool = false
    ) {
      (self.table, self.owner, self.position) = (table, owner, position)
      (self.reference, self.referenceType, self.target) = (reference, referenceType, target)
      self.areMembers = areMembers
    }

    /// A table that may have all columns of elements, of which those that it lacks are left out.
    convenience init(table: String, owner: String, _ column: (String) -> String?) {
      self.init(
        table: table, owner: owner, position: column("position"), reference: column("value_id"),
        referenceType: column("value_type"))
      (key, keyReference, keyType) = (column("key"), column("key_id"), column("key_type"))
      value = column("value")
    }
  }

  /// A table of rows that were objects.
  final class Entity {
    let table: String
    /// The column that numbers the rows.
    let id: String
    /// The class; nil for dictionaries.
    var className: String?
    /// True for the values under the top-level keys.
    var isDocument = false
    var columns: [String] = []
    var properties: [Property] = []
    /// The rows, once somebody has asked for one.
    var rows: RowsByID?
    /// The keys of its objects.
    private(set) lazy var keys = ArchiveCopy.Keys(
      properties.map(\.part) + [ArchiveCopy.Part.leaf("$class")])
    /// True for collections that have rows of their own.
    var areCollections: Bool { table == RelationalLayout.collectionTable }

    init(table: String, id: String, className: String?) {
      (self.table, self.id, self.className) = (table, id, className)
    }
  }
}
