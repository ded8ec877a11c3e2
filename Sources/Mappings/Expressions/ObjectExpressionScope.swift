import ArchiveReader
import DataModel

/// What expressions see of an archived object: its keys, and those of the objects that it leads to.
package protocol ObjectExpressionScope: ExpressionScope {
  /// The object that expressions begin with.
  var object: GraphObject { get }

  /// Another object of the archive; nil if there is none.
  func archivedObject(_ uid: Int) -> GraphObject?

  /// What stands under a key, objects as handles; nil for a key that the object does not have.
  ///
  /// - Throws: What reading the archive throws.
  func archivedValue(of key: String, in object: GraphObject) throws -> ImportValue?
}

extension ObjectExpressionScope {
  package func value(
    forKeyPath path: [String], of variable: String?
  ) throws(ExpressionFailure) -> ImportValue {
    guard variable == nil else { throw ExpressionFailure(.unknownVariable, name: variable) }
    guard let key = path.first else { return ObjectHandle.value(object.uid) }
    return try value(forKeys: path.dropFirst(), of: try value(of: key, in: object))
  }

  package func value(
    forKey key: String, of object: RowReference
  ) throws(ExpressionFailure) -> ImportValue {
    guard let uid = ObjectHandle.uid(of: object), let found = archivedObject(uid) else {
      throw ExpressionFailure(.unknownKey, name: key)
    }
    return try value(of: key, in: found)
  }

  private func value(
    of key: String, in object: GraphObject
  ) throws(ExpressionFailure) -> ImportValue {
    do {
      return try archivedValue(of: key, in: object) ?? .null
    } catch {
      throw ExpressionFailure(.functionFailed, name: "the archive is damaged under \(key)")
    }
  }
}
