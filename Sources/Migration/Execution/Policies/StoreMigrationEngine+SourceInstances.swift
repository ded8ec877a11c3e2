import DataModel
import GraphCore
import Mappings
import Policies

// Source objects, as policies see them.
extension StoreMigrationEngine: SourceInstanceReader {
  var sourceNumber: Int64 { 0 }

  func className(of object: GraphObject) -> String {
    scope.reader.graph.classRecord(of: object).name
  }

  func keys(of object: GraphObject) -> [String] {
    scope.reader.graph.keys(ofShape: object.shape)
  }

  func value(forKey key: String, of object: GraphObject) throws -> ImportValue {
    guard let value = try scope.reader.value(forKey: key, of: object) else {
      throw ImportError(
        .unknownProperty, name: "\(className(of: object)).\(key)",
        nearest: NearestName.find(key, in: keys(of: object)))
    }
    uses.noteRead(key, ofClass: object.class.index, className(of: object))
    return value
  }

  func value(forKeyPath path: String, of object: GraphObject) throws -> ImportValue {
    let keys = path.split(separator: ".").map(String.init)
    guard let first = keys.first else { return .null }
    return try scope.value(forKeys: keys.dropFirst(), of: try value(forKey: first, of: object))
  }

  func objects(forKey key: String, of object: GraphObject) throws -> [GraphObject] {
    try ObjectHandle.uids(in: try value(forKey: key, of: object))
      .map { uid throws(ArchiveError) in try scope.reader.graph.object(uid) }
  }
}
