import Foundation
import Support

/// A step by which the bytes of an archive are taken out of what is around them.
public enum UnwrapStep: Sendable, Hashable {
  /// So many bytes in front are dropped.
  case skip(Int)
  /// A gzip file is inflated.
  case gzip
  /// Base64, white space in it included, is decoded.
  case base64

  /// Reads a step as people write it: `skip=12` (up to 32,768), `gzip` or `base64`; nil for another
  /// text.
  public init?(_ text: String) {
    switch text {
    case "gzip": self = .gzip
    case "base64": self = .base64
    default:
      guard text.hasPrefix("skip="), let count = Int(text.dropFirst(5)),
        (1...Self.longestStart).contains(count)
      else { return nil }
      self = .skip(count)
    }
  }

  /// The most bytes in front: the archive has to begin in the part of a file that tells its kind.
  private static let longestStart = FileHead.maxBytes / 2

  /// The step as people write it.
  public var text: String {
    switch self {
    case .skip(let count): "skip=\(count)"
    case .gzip: "gzip"
    case .base64: "base64"
    }
  }
}

extension [UnwrapStep] {
  /// Takes bytes out of what is around them, step by step.
  ///
  /// - Parameters:
  ///   - storage: The bytes, which stay where they are as far as possible.
  ///   - limits: The limits, of which `expansion` bounds the size of the bytes inside.
  /// - Returns: The bytes inside.
  /// - Throws: `ArchiveError` if they are not wrapped in this way.
  func unwrap(
    _ storage: ByteStorage, _ limits: ReadingLimits
  ) throws(ArchiveError) -> ByteStorage {
    var storage = storage
    for step in self {
      switch step {
      case .skip(let count):
        let start = Swift.min(count, storage.count)
        storage = ByteStorage(start..<storage.count, of: storage) ?? storage
      case .gzip: storage = ByteStorage(try inflated(storage, limits))
      case .base64:
        guard let decoded = Self.decoded(storage.data) else {
          throw ArchiveError(.badWrapping, name: step.text)
        }
        storage = ByteStorage(decoded)
      }
    }
    return storage
  }

  /// The first bytes inside of what begins with some bytes, as far as these tell.
  func unwrap(_ head: FileHead) -> FileHead {
    var data = Data(head.bytes)
    for step in self {
      switch step {
      case .skip(let count): data = Data(data.dropFirst(count))
      case .gzip:
        data = Deflate.inflate(beginning: data, as: .gzip, upTo: FileHead.maxBytes)
      case .base64: data = Self.decoded(data, isWhole: false) ?? Data()
      }
    }
    return FileHead(data)
  }

  /// Files of gzip may follow each other; together they are one.
  private func inflated(
    _ storage: ByteStorage, _ limits: ReadingLimits
  ) throws(ArchiveError) -> Data {
    let (most, isOverflow) = storage.count.multipliedReportingOverflow(by: limits.expansion)
    // Small files grow more than others.
    let limit = isOverflow ? Int.max : Swift.max(most, Self.leastLimit)
    var (rest, content) = (storage.data, Data())
    do throws(Deflate.Failure) {
      repeat {
        let (part, surplus) = try Deflate.inflate(rest, as: .gzip, limit: limit - content.count)
        content += part
        rest = rest.suffix(surplus)
      } while !rest.isEmpty
    } catch {
      throw error == .tooLarge
        ? limits.exceeded(.expansion)
        : ArchiveError(.badWrapping, name: UnwrapStep.gzip.text)
    }
    return content
  }

  private static var leastLimit: Int { 1 << 20 }

  /// The bytes that base64 stands for; nil for other text.
  private static func decoded(_ data: Data, isWhole: Bool = true) -> Data? {
    let signs = data.filter { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
    return Data(base64Encoded: isWhole ? signs : signs.prefix(signs.count / 4 * 4))
  }
}
