internal import CDeflate
import Foundation

/// Raw deflate, without a header: the form in which stores keep their model.
enum RawDeflate {
  /// Why bytes cannot be inflated.
  enum Failure: Error, Hashable {
    case damaged
    /// They would become more than is allowed.
    case tooLarge
  }

  /// Inflates bytes.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - limit: How many bytes they may become.
  /// - Returns: What they were before, and how many bytes follow it.
  /// - Throws: `Failure`.
  /// - Complexity: As of inflating twice.
  static func inflate(
    _ data: Data, limit: Int
  ) throws(Failure) -> (content: Data, surplus: Int) {
    // Small bytes can ask for much memory: room is made as they turn out to need it.
    var capacity = min(max(4_096, data.count), limit)
    while true {
      var output = Data(count: capacity)
      var (written, rest) = (0, 0)
      let result = unsafe output.withUnsafeMutableBytes { output in
        unsafe data.withUnsafeBytes { input in
          guard let source = input.baseAddress, let destination = output.baseAddress else {
            return cdf_result_damaged
          }
          return unsafe cdf_inflate(
            source, input.count, destination, output.count, &written, &rest)
        }
      }
      switch result {
      case cdf_result_done: return (output.prefix(written), rest)
      case cdf_result_full where capacity < limit:
        capacity = capacity > limit / 4 ? limit : capacity * 4
      case cdf_result_full: throw .tooLarge
      default: throw .damaged
      }
    }
  }

  /// Deflates bytes; nil if there are more than zlib takes at once, or it gets no memory.
  static func deflate(_ data: Data) -> Data? {
    let capacity = cdf_deflate_bound(data.count)
    guard capacity > 0 else { return nil }
    var output = Data(count: capacity)
    var written = 0
    let result = unsafe output.withUnsafeMutableBytes { output in
      unsafe data.withUnsafeBytes { input in
        guard let source = input.baseAddress, let destination = output.baseAddress else {
          return cdf_result_damaged
        }
        return unsafe cdf_deflate(source, input.count, destination, output.count, &written)
      }
    }
    return result == cdf_result_done ? output.prefix(written) : nil
  }
}
