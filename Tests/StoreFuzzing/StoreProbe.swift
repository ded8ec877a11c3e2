import CoreDataStores
import Foundation
import GraphCore
import GraphTesting

/// Reads everything in an SQLite store that may be damaged.
package struct StoreProbe {
  /// Whether the model is given, rather than read from the store.
  package var givesModel: Bool
  /// Whether damage is noted, and the rest read.
  package var salvages: Bool

  /// All ways to read a store.
  package static let all = [false, true].flatMap { salvages in
    [false, true].map { StoreProbe(givesModel: $0, salvages: salvages) }
  }

  /// Reads the store at a path, inspects it, and checks it.
  ///
  /// - Returns: The laws of graphs that were broken: none, whatever the file is.
  package func faults(at path: String) -> [GraphFault] {
    if !salvages { _ = try? StoreCheck.run(path) }
    let versions = ModelVersions([
      ModelVersion(name: "Sample", path: "", source: SampleStore.model)
    ])
    let source = try? SQLiteStoreSource(
      path: path, model: givesModel ? SampleStore.model : nil, versions: versions,
      salvages: salvages)
    guard let source else { return [] }
    _ = try? source.inspect(limits: .standard)
    _ = source.remarks
    return checkGraph(source)
  }
}
