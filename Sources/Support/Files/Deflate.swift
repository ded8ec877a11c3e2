internal import CDeflate
import Foundation

/// Deflated bytes, in and out of memory.
package enum Deflate {
  /// The wrapping of deflated bytes.
  package enum Form: Sendable {
    /// Nothing: the form in which stores keep their model.
    case raw
    /// The header and the checksum of gzip.
    case gzip
  }

  /// Why bytes cannot be inflated.
  package enum Failure: Error, Hashable {
    case damaged
    /// They would become more than is allowed.
    case tooLarge
  }

  /// Inflates bytes.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - form: Their wrapping.
  ///   - limit: The most bytes that they may become.
  /// - Returns: The original bytes, and the number of bytes that follow them.
  /// - Throws: `Failure`.
  /// - Complexity: As of inflating twice.
  package static func inflate(
    _ data: Data, as form: Form = .raw, limit: Int
  ) throws(Failure) -> (content: Data, surplus: Int) {
    // Small bytes can ask for much memory, and many of them one after the other: room is made as
    // they turn out to need it.
    var capacity = min(4_096, limit)
    while true {
      let (result, output, rest) = inflate(data, form, capacity)
      switch result {
      case cdf_result_done: return (output, rest)
      case cdf_result_full where capacity < limit:
        capacity = capacity > limit / 4 ? limit : capacity * 4
      case cdf_result_full: throw .tooLarge
      default: throw .damaged
      }
    }
  }

  /// The first bytes of what deflated ones were before, as far as these tell.
  package static func inflate(beginning data: Data, as form: Form, upTo count: Int) -> Data {
    inflate(data, form, count).output
  }

  private static func inflate(
    _ data: Data, _ form: Form, _ capacity: Int
  ) -> (result: cdf_result, output: Data, surplus: Int) {
    var output = Data(count: capacity)
    var (written, rest) = (0, 0)
    let result = unsafe output.withUnsafeMutableBytes { output in
      unsafe data.withUnsafeBytes { input in
        guard let source = input.baseAddress, let destination = output.baseAddress else {
          return cdf_result_damaged
        }
        return unsafe cdf_inflate(
          source, input.count, form == .gzip ? 1 : 0, destination, output.count, &written, &rest)
      }
    }
    return (result, output.prefix(written), rest)
  }

  /// The checksum that zip files have: CRC-32.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe cdf_checksum($0.baseAddress, $0.count) }
  }

  /// Deflates bytes, fast or well; nil if there are more than zlib takes at once, or it gets no
  /// memory.
  package static func deflate(_ data: Data, isFast: Bool = false) -> Data? {
    let capacity = cdf_deflate_bound(data.count)
    guard capacity > 0 else { return nil }
    var output = Data(count: capacity)
    var written = 0
    let result = unsafe output.withUnsafeMutableBytes { output in
      unsafe data.withUnsafeBytes { input in
        guard let source = input.baseAddress, let destination = output.baseAddress else {
          return cdf_result_damaged
        }
        return unsafe cdf_deflate(
          source, input.count, isFast ? 1 : 0, destination, output.count, &written)
      }
    }
    return result == cdf_result_done ? output.prefix(written) : nil
  }
}
