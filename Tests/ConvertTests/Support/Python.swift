import Foundation
import TestSupport
import Testing

/// The Python of this machine.
enum Python {
  /// `$CONVERT_PYTHON`, or the first `python3` of the path; nil if there is none.
  static let path: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let chosen = environment["CONVERT_PYTHON"] { return chosen }
    return (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/python3" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Whether a statement runs without an error, such as the import of a package.
  static func runs(_ statement: String) -> Bool {
    guard let path, let folder = try? TemporaryFolder() else { return false }
    return (try? run(path, ["-c", statement], in: folder))?.status == 0
  }

  /// Runs a program in a folder, with the programs beside Python in its path.
  static func run(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder
  ) throws -> (output: String, errors: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    var environment = ProcessInfo.processInfo.environment
    let programs = ((path ?? "") as NSString).deletingLastPathComponent
    environment["PATH"] = "\(programs):\(environment["PATH"] ?? "")"
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    process.environment = environment
    var files: [String] = []
    for name in ["python-output", "python-errors"] {
      let file = folder.file(named: name)
      try Data().write(to: URL(fileURLWithPath: file))
      files.append(file)
    }
    process.standardInput = FileHandle.nullDevice
    let output = try #require(FileHandle(forWritingAtPath: files[0]))
    let errors = try #require(FileHandle(forWritingAtPath: files[1]))
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    process.waitUntilExit()
    let texts = try files.map {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: $0)), as: UTF8.self)
    }
    return (texts[0], texts[1], process.terminationStatus)
  }
}
