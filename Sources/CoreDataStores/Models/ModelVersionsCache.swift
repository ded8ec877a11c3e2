import ArchiveReader
import DataModel
import Synchronization

/// Reads the versions of models at most once, for the many stores that are opened with them.
package final class ModelVersionsCache: Sendable {
  private let results = Mutex<[[String]: Result<ModelVersions, ModelError>]>([:])

  package init() {}

  /// The versions at the paths of one model, or of several that are merged: see `ModelVersions.init(contentsOf:limits:)`.
  ///
  /// - Throws: `ModelError`, the same each time.
  package func versions(
    at paths: [String], _ limits: ReadingLimits
  ) throws(ModelError) -> ModelVersions {
    let result = results.withLock { results in
      if let known = results[paths] { return known }
      let result = Result { () throws(ModelError) in
        try ModelVersions(contentsOf: paths, limits: limits)
      }
      results[paths] = result
      return result
    }
    return try result.get()
  }
}
