import ArchiveReader
import Importer
import Stores

extension ArchiveEditor {
  /// A collection of the archive.
  struct Former {
    var kind: CollectionKind
    /// Its object; nil for one that stands inside of another.
    var entries: [(key: ArchiveCopy.Part, value: ArchiveCopy.Part)]?
    /// Its keys and values that are no rows, by the texts that tell them apart.
    var values: [String: [ArchiveCopy.Part]] = [:]
    var keys: [String: [ArchiveCopy.Part]] = [:]
    /// True if some of its values are of classes of Foundation that are kept as JSON.
    var hasJSON = false
    var samples: [Kind: Standing] = [:]
    var keySamples: [Kind: Standing] = [:]

    /// Takes an element that is the same.
    mutating func take(_ value: StoredValue, isKey: Bool) -> ArchiveCopy.Part? {
      isKey ? keys[value.key]?.popLast() : values[value.key]?.popLast()
    }

    /// Elements in whose form others may be, one of each kind; texts come last.
    func samples(for value: StoredValue, isKey: Bool) -> [Standing] {
      let fitting = (isKey ? keySamples : samples).filter { kind, _ in
        switch (kind, value) {
        case (.bool, .integer(0...1)), (.integer, .integer), (.real, .real),
          (.data, .blob), (.date, .text), (.uuid, .text), (.decimal, .text), (.text, .text):
          true
        case (.integer, .text(let text)): UInt64(text) != nil
        // Any text may be a URL.
        case (.url, .text): (isKey ? keySamples : samples)[.text] == nil
        default: false
        }
      }
      return fitting.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
    }

    mutating func add(_ sample: Standing, isKey: Bool) {
      guard let kind = Kind(sample.value) else { return }
      if isKey, keySamples[kind] == nil { keySamples[kind] = sample }
      if !isKey, samples[kind] == nil { samples[kind] = sample }
    }

    /// The kinds of elements that are no rows, in the order in which they are tried.
    enum Kind: Int {
      case bool, integer, real, data, date, uuid, decimal, url, text

      init?(_ value: GraphValue) {
        switch value {
        case .bool: self = .bool
        case .integer, .wideInteger: self = .integer
        case .real: self = .real
        case .data: self = .data
        case .date: self = .date
        case .uuid: self = .uuid
        case .decimal: self = .decimal
        case .url, .relativeURL: self = .url
        case .text: self = .text
        default: return nil
        }
      }
    }
  }
}
