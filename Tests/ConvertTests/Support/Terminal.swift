import Foundation
import Testing

/// Runs the program with its standard output on a terminal.
enum Terminal {
  /// What a run left behind; lines end as the program ended them.
  struct Result {
    var status: Int32?
    var output: String
  }

  // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
  private static let unlockRequest: UInt = 0x4004_5431
  private static let numberRequest: UInt = 0x8004_5430

  /// Runs the program to its end.
  static func run(
    _ arguments: [String], in folder: String, environment: [String: String] = [:]
  ) throws -> Result {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(master >= 0)
    defer { close(master) }
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    try #require(ioctl(master, unlockRequest, &isLocked) == 0)
    try #require(ioctl(master, numberRequest, &number) == 0)
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(slave >= 0)
    let output = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    let program = try Program.start(
      arguments, in: folder, environment: environment, output: output)
    try output.close()
    let text = read(master)
    let result = try program.wait()
    return Result(status: result.status, output: text.replacing("\r\n", with: "\n"))
  }

  /// Reads until nothing holds the other end of the terminal any more.
  private static func read(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
