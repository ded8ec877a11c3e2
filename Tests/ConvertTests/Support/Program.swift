import Foundation
import Testing

/// The programs as the build made them, beside the tests: `convert`, unless another is named.
enum Program {
  /// What a run left behind.
  struct Result: CustomTestStringConvertible {
    /// The exit code; nil if a signal ended the program.
    var status: Int32?
    /// The signal that ended the program.
    var signal: Int32?
    var output: String
    var errors: String

    /// The lines on standard error.
    var errorLines: [String] {
      errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    var testDescription: String {
      "exit \(status.map(String.init) ?? "-"), signal \(signal.map(String.init) ?? "-")\n"
        + "standard output:\n\(output)\nstandard error:\n\(errors)"
    }
  }

  /// How long a run may take before it counts as hanging: far longer than any needs.
  private static let guardSeconds = 180

  /// The path of a program.
  static func path(_ program: String = "convert") throws -> String {
    let tests = try #require(Bundle.main.executableURL)
    let path = tests.deletingLastPathComponent().appendingPathComponent(program).path
    try #require(FileManager.default.isExecutableFile(atPath: path), "build `\(program)` first")
    return path
  }

  /// Runs the program in a folder, to its end.
  ///
  /// The limits are options of the shell's `ulimit`, such as "-v 4000000"; the redirection is the
  /// shell's, too, such as "> /dev/full", and so is a setting, such as "umask 077". Without a
  /// program, the arguments are those of the shell.
  static func run(
    _ arguments: [String], in folder: String = NSTemporaryDirectory(),
    environment: [String: String] = [:], limits: [String] = [], redirection: String = "",
    setting: String? = nil, program: String? = "convert"
  ) throws -> Result {
    let running = try start(
      arguments, in: folder, environment: environment, limits: limits, redirection: redirection,
      setting: setting, program: program)
    return try running.wait()
  }

  /// Starts the program and leaves it running; its output is kept unless it is to go elsewhere.
  static func start(
    _ arguments: [String], in folder: String, environment: [String: String] = [:],
    limits: [String] = [], redirection: String = "", setting: String? = nil,
    output: FileHandle? = nil, program: String? = "convert"
  ) throws -> RunningProgram {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let settings = limits.map { "ulimit \($0)" } + [setting].compactMap(\.self)
    let commands = settings.map { "\($0) && " }.joined() + "exec \"$0\" \"$@\" \(redirection)"
    process.arguments = ["-c", commands, try program.map(path) ?? "/bin/sh"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder, isDirectory: true)
    // A crash is to end the program at once.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .merging(environment) { $1 }
    return try RunningProgram(process, output: output, guardSeconds: guardSeconds)
  }
}

/// A run of the program that has not been waited for.
final class RunningProgram {
  private let process: Process
  private let output: TemporaryOutput
  private let errors: TemporaryOutput
  private let guardTimer: any DispatchSourceTimer

  fileprivate init(_ process: Process, output handle: FileHandle?, guardSeconds: Int) throws {
    self.process = process
    output = try TemporaryOutput()
    errors = try TemporaryOutput()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle ?? output.handle
    process.standardError = errors.handle
    try process.run()
    let identifier = process.processIdentifier
    guardTimer = DispatchSource.makeTimerSource()
    guardTimer.schedule(deadline: .now() + .seconds(guardSeconds))
    guardTimer.setEventHandler { kill(identifier, SIGKILL) }
    guardTimer.resume()
  }

  /// Sends the program a signal.
  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits for the program to end.
  func wait() throws -> Program.Result {
    process.waitUntilExit()
    guardTimer.cancel()
    let hasExited = process.terminationReason == .exit
    return Program.Result(
      status: hasExited ? process.terminationStatus : nil,
      signal: hasExited ? nil : process.terminationStatus,
      output: try output.text(), errors: try errors.text())
  }
}

/// A file that takes what a program prints, however much it is.
private final class TemporaryOutput {
  private let path = "\(NSTemporaryDirectory())/convert-output-\(UUID().uuidString)"
  let handle: FileHandle

  init() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    handle = try #require(FileHandle(forWritingAtPath: path))
  }

  deinit {
    try? handle.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  func text() throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }
}
