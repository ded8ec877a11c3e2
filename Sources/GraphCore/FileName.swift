import Foundation

/// File names as texts.
///
/// The system takes any bytes but NUL and the slash for a name; a Swift text holds Unicode only. A
/// byte that is not part of UTF-8 stands in a text as one character of a private range. So each
/// name is one text, and each text leads back to its bytes.
package enum FileName {
  /// The character to which the value of a byte from 0x80 on is added.
  ///
  /// A name that has these characters itself is read as bytes.
  private static let origin: UInt32 = 0x10FE00
  private static let escapes: ClosedRange<UInt32> = 0x10FE80...0x10FEFF
  /// The first byte of the characters in UTF-8.
  private static let escapeLead: UInt8 = 0xF4

  /// The text for a name or path.
  ///
  /// Two texts are equal only if the bytes are, so a name whose characters could be written
  /// otherwise ("e" and an accent for "é") is read as bytes, too. That of a path is made of those of
  /// its names, as a directory lists them.
  ///
  /// - Parameter bytes: The bytes, without a NUL at the end.
  /// - Returns: The text.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    guard bytes.contains(where: { $0 >= 0x80 }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let slash = UInt8(ascii: "/")
    return bytes.split(separator: slash, omittingEmptySubsequences: false)
      .map { name(Array($0)) }.joined(separator: "/")
  }

  /// The text for a name.
  private static func name(_ bytes: [UInt8]) -> String {
    let valid = String(validating: bytes, as: UTF8.self)
    if let valid, !isEscaped(valid), isComposed(valid) { return valid }
    let keepsCharacters = valid.map(isComposed) ?? true
    var scalars = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      if first < 0x80 {
        scalars.append(Unicode.Scalar(first))
        rest = rest.dropFirst()
      } else if keepsCharacters, let character = character(at: rest) {
        scalars.append(character.scalar)
        rest = rest.dropFirst(character.length)
      } else {
        if let scalar = scalar(of: first) { scalars.append(scalar) }
        rest = rest.dropFirst()
      }
    }
    let text = String(scalars)
    // Characters on both sides of a byte may fit together.
    return isComposed(text) ? text : String(escaping: bytes)
  }

  /// The character that bytes begin with; nil if they begin with none, or with one that stands for
  /// a byte.
  private static func character(
    at bytes: ArraySlice<UInt8>
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    for length in 2...4 where length <= bytes.count {
      guard let text = String(validating: bytes.prefix(length), as: UTF8.self) else { continue }
      guard let scalar = text.unicodeScalars.first, byte(of: scalar) == nil else { return nil }
      return (scalar, length)
    }
    return nil
  }

  private static func isComposed(_ text: String) -> Bool {
    text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
  }

  /// The text for a name or path that ends with a NUL.
  package static func text(cString: UnsafePointer<CChar>) -> String {
    unsafe text(UnsafeRawBufferPointer(start: cString, count: strlen(cString)))
  }

  /// The bytes of a name or path.
  package static func bytes(_ text: String) -> [UInt8] {
    guard isEscaped(text) else { return Array(text.utf8) }
    return text.unicodeScalars.reduce(into: []) { bytes, scalar in
      if let byte = byte(of: scalar) {
        bytes.append(byte)
      } else {
        bytes += UTF8.encode(scalar).map(Array.init) ?? []
      }
    }
  }

  /// The byte that a character stands for; nil for all characters of Unicode texts.
  package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    escapes.contains(scalar.value) ? UInt8(scalar.value - origin) : nil
  }

  /// The character that stands for a byte.
  fileprivate static func scalar(of byte: UInt8) -> Unicode.Scalar? {
    byte < 0x80 ? Unicode.Scalar(byte) : Unicode.Scalar(origin + UInt32(byte))
  }

  /// True if a text has bytes that are not Unicode.
  package static func isEscaped(_ text: String) -> Bool {
    text.utf8.contains(escapeLead) && text.unicodeScalars.contains { byte(of: $0) != nil }
  }

  /// The text with such bytes as `\\xE9`, unless they are Unicode after all: for people, and for
  /// documents.
  ///
  /// - Parameters:
  ///   - text: A text.
  ///   - mark: The text before the two digits of a byte.
  /// - Returns: The text as it is shown.
  package static func printable(_ text: String, mark: String = "\\x") -> String {
    guard isEscaped(text) else { return text }
    var result = ""
    var run: [UInt8] = []
    func appendRun() {
      while !run.isEmpty {
        if let character = character(at: run[...]) {
          result.unicodeScalars.append(character.scalar)
          run.removeFirst(character.length)
        } else {
          result += mark + String(run.removeFirst(), radix: 16, uppercase: true)
        }
      }
    }
    for scalar in text.unicodeScalars {
      if let byte = byte(of: scalar) {
        run.append(byte)
      } else {
        appendRun()
        result.unicodeScalars.append(scalar)
      }
    }
    appendRun()
    return result
  }

  /// Hands a path over as the system takes it.
  package static func withPath<Result, Failure: Error>(
    _ text: String, _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isEscaped(text) else {
      return try unsafe withPath(utf8: text, body)
    }
    let bytes = bytes(text).map { CChar(bitPattern: $0) } + [0]
    return try unsafe withPointer(bytes, body)
  }

  /// True if a glob fits a name: `*` and `?` stand for any characters, `[a-z]` for one of several.
  package static func fits(_ name: String, _ glob: String) -> Bool {
    unsafe withPath(glob) { glob in
      unsafe withPath(name) { name in unsafe fnmatch(glob, name, 0) == 0 }
    }
  }

  private static func withPath<Result, Failure: Error>(
    utf8 text: String, _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome: Swift.Result<Result, Failure> = unsafe text.withCString { path in
      do throws(Failure) {
        return unsafe .success(try body(path))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private static func withPointer<Result, Failure: Error>(
    _ bytes: [CChar], _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome: Swift.Result<Result, Failure> = unsafe bytes.withUnsafeBufferPointer { buffer in
      do throws(Failure) {
        guard let start = buffer.baseAddress else { return unsafe .success(try body("")) }
        return unsafe .success(try body(start))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}

extension String {
  /// A text in which each byte that is not ASCII stands for itself: see `FileName`.
  fileprivate init(escaping bytes: [UInt8]) {
    self = bytes.reduce(into: "") { text, byte in
      if let scalar = FileName.scalar(of: byte) { text.unicodeScalars.append(scalar) }
    }
  }
}
