import ArchiveWriter
import Foundation

extension CoreDataMetadata {
  /// Makes metadata of the values that a store keeps.
  ///
  /// - Parameters:
  ///   - values: The values by their keys.
  ///   - uuid: The name of the store; that among the values, if there is one, comes first.
  package init(values: [KeyValue], uuid: String) {
    self.init(identifiers: [], versionHashes: [:])
    (self.uuid, digest, checksum) = (uuid, nil, nil)
    (frameworkVersion, hashesVersion) = (nil, nil)
    for pair in values {
      switch (pair.key, pair.value) {
      case (Key.uuid, .string(let text)): self.uuid = text
      case (Key.frameworkVersion, .integer(let number)): frameworkVersion = number
      case (Key.hashesVersion, .integer(let number)): hashesVersion = number
      case (Key.hashes, .dictionary(let hashes)):
        for hash in hashes {
          if case .data(let bytes) = hash.value { versionHashes[hash.key] = bytes }
        }
      case (Key.digest, .string(let text)): digest = text
      case (Key.checksum, .string(let text)): checksum = text
      case (Key.identifiers, .array(let elements)):
        identifiers = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
      case (let key, _) where Key.unread.contains(key): break
      default: applicationValues.append(pair)
      }
    }
  }
}
