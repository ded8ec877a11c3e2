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
    (storeType, autoVacuumLevel) = (nil, nil)
    for pair in values {
      switch (pair.key, pair.value) {
      case (Key.uuid, .string(let text)): self.uuid = text
      case (Key.frameworkVersion, .integer(let number)): frameworkVersion = number
      case (Key.hashesVersion, .integer(let number)): hashesVersion = number
      case (Key.hashes, .dictionary(let hashes)):
        for hash in hashes {
          if case .data(let bytes) = hash.value { versionHashes[hash.key] = bytes }
        }
      case (Key.storeType, let value):
        if case .string(let text) = value { storeType = text } else { storeType = "" }
      case (Key.autoVacuum, let value):
        if case .string(let text) = value { autoVacuumLevel = text } else { autoVacuumLevel = "" }
      case (Key.digest, .string(let text)): digest = text
      case (Key.checksum, .string(let text)): checksum = text
      case (Key.identifiers, .array(let elements)):
        identifiers = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
      case (Key.archives, .array(let elements)): archives = elements.compactMap { Archive($0) }
      case (Key.conversion, let value): conversion = ConversionRecord(value)
      case (let key, _) where Key.unread.contains(key): break
      default: applicationValues.append(pair)
      }
    }
  }
}

extension CoreDataMetadata.Archive {
  /// Reads what a store says of an archive; nil if it says it in another form.
  fileprivate init?(_ value: PropertyListValue) {
    guard let path = value.text(forKey: "path"), let sha256 = value.text(forKey: "sha256") else {
      return nil
    }
    self.init(path: path, sha256: sha256)
  }
}

extension CoreDataMetadata.ConversionRecord {
  /// Reads what a store says of its conversion; nil if it says it in another form.
  fileprivate init?(_ value: PropertyListValue) {
    guard let options = value.text(forKey: "options"),
      let fingerprint = value.text(forKey: "fingerprint")
    else { return nil }
    self.init(
      options: options, fingerprint: fingerprint, modelDigest: value.text(forKey: "modelDigest"),
      mapping: value.text(forKey: "mapping"))
  }
}

extension PropertyListValue {
  /// The text under a key of a dictionary; nil if there is none.
  fileprivate func text(forKey key: String) -> String? {
    guard case .dictionary(let pairs) = self,
      case .string(let text)? = pairs.first(where: { $0.key == key })?.value
    else { return nil }
    return text
  }
}
