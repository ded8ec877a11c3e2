import Foundation
import TestSupport
import Testing

/// Chromium without a window.
enum Browser {
  /// A page as the browser made it.
  struct Page {
    /// The document after its script has run.
    var text: String
    /// What the browser's console says.
    var complaints: [String]
  }

  /// The browser of this machine; nil if there is none.
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome"]
    return folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Loads a page and lets its script run.
  static func load(_ page: String, in folder: TemporaryFolder) throws -> Page {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path))
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom",
      "--user-data-dir=\(folder.file(named: "profile"))", "file://\(page)",
    ]
    let (output, errors) = (folder.file(named: "dom"), folder.file(named: "log"))
    for file in [output, errors] { try Data().write(to: URL(fileURLWithPath: file)) }
    process.standardInput = FileHandle.nullDevice
    let outputHandle = try #require(FileHandle(forWritingAtPath: output))
    let errorHandle = try #require(FileHandle(forWritingAtPath: errors))
    (process.standardOutput, process.standardError) = (outputHandle, errorHandle)
    try process.run()
    process.waitUntilExit()
    func text(_ file: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
    }
    let lines = try text(errors).split(separator: "\n").map(String.init)
    return Page(text: try text(output), complaints: lines.filter { $0.contains("CONSOLE") })
  }
}
