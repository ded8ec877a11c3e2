import ArchiveReader
import DataModel

/// An archived object as expressions see it: its keys, and those of the objects that it leads to.
package protocol ObjectExpressionScope: ExpressionScope {
  /// The object that expressions begin with.
  var object: GraphObject { get }

  /// The graph that the object is part of.
  var graph: any ObjectGraph { get }

  /// A value of the archive, objects as handles.
  ///
  /// - Throws: The error of reading the archive.
  func valueWithHandles(of value: GraphValue) throws -> ImportValue
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
    guard let uid = ObjectHandle.uid(of: object), let found = try? graph.object(uid) else {
      throw ExpressionFailure(.unknownKey, name: key)
    }
    return try value(of: key, in: found)
  }

  private func value(
    of key: String, in object: GraphObject
  ) throws(ExpressionFailure) -> ImportValue {
    guard let position = graph.position(of: ArchivedName.text(key), in: object) else {
      return .null
    }
    do {
      return try valueWithHandles(of: try graph.value(of: object, at: position))
    } catch {
      throw ExpressionFailure(.functionFailed, name: "the archive is damaged under \(key)")
    }
  }
}
