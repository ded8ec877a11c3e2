import ArgumentParser
import Foundation
import GraphCore
import Support

/// Inputs that a list names, for commands that take any number of them.
struct InputList: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Also take the inputs that a file lists, one a line; '-' is standard input.",
      valueName: "list"), completion: .file())
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "The names of the list end with a zero byte, as find -print0 writes them.")
  var null = false

  /// The most bytes of a list.
  private static let maxBytes = 1 << 30
  private static let partSize = 1 << 20

  /// Refuses a command without inputs, and two uses of standard input.
  ///
  /// - Parameters:
  ///   - inputs: The inputs that the command line names.
  ///   - needsSome: True if the command has nothing to do without any.
  /// - Throws: The end of the command.
  func check(_ inputs: [String], needsSome: Bool = true) throws {
    guard !needsSome || !inputs.isEmpty || filesFrom != nil else {
      throw ValidationError("Missing expected argument '<inputs> ...'")
    }
    guard filesFrom != nil || !null else {
      throw ValidationError("-0 requires --files-from.")
    }
    try StandardInput.check(inputs + (filesFrom.map { [$0] } ?? []).filter { $0 == "-" })
  }

  /// The inputs of the command line, and those of the list after them.
  ///
  /// - Parameters:
  ///   - inputs: The inputs of the command line.
  ///   - needsSome: False if the list may be empty, as that of a shard.
  /// - Returns: The inputs.
  /// - Throws: The end of the command, if the list cannot be read.
  func all(_ inputs: [String], needsSome: Bool = true) throws -> [String] {
    guard let filesFrom else { return inputs }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Self.bytes(of: filesFrom)
    } catch {
      throw refused("cannot be read: \(error.words)")
    }
    guard bytes.count <= Self.maxBytes else { throw refused("is longer than 1 GiB") }
    let end: UInt8 = null ? 0 : UInt8(ascii: "\n")
    let names = bytes.split(separator: end)
    // Paths have no zero bytes.
    guard null || !bytes.contains(0) else { throw refused("has zero bytes: use -0") }
    guard !names.contains([UInt8(ascii: "-")]) else {
      throw refused("names standard input; for a file named '-', use './-'")
    }
    guard !needsSome || !names.isEmpty || !inputs.isEmpty else { throw refused("lists no inputs") }
    return inputs + names.map(FileName.text)
  }

  private func refused(_ words: String) -> ExitCode {
    let name = filesFrom.map { $0 == "-" ? "standard input" : Console.printable($0) } ?? ""
    Console.complain("\(name): \(words)")
    return Outcome.impossible
  }

  /// The bytes of a file, or of standard input; of one that is too long, a few too many.
  private static func bytes(of path: String) throws(SystemError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : try FileSystem.open(path, O_RDONLY)
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    while bytes.count <= maxBytes {
      let part = try FileSystem.read(descriptor, upTo: partSize)
      guard !part.isEmpty else { break }
      bytes += part
    }
    return bytes
  }
}
