import DataModel
import Mappings

extension Attribute {
  /// What an object has for the attribute when it is inserted: its default, or nil.
  package var initialValue: ImportValue {
    defaultValue?.importValue.flatMap { $0.fitted(to: type) } ?? .null
  }
}
