import ArchiveReader
import ArgumentParser

/// The option that changes the limits for hostile files, for all commands that read archives.
struct LimitOptions: ParsableArguments {
  @Option(
    name: .customLong("limit"),
    help: ArgumentHelp(
      "Change a limit that protects against hostile files; may be repeated. The limits and their "
        + "defaults are \(Self.list).", valueName: "name=number"),
    completion: .list(ReadingLimits.Name.allCases.map { "\($0.rawValue)=" }),
    transform: Setting.init)
  var settings: [Setting] = []

  /// The limits as they are set: of several settings of one, the last counts.
  var limits: ReadingLimits {
    settings.reduce(into: .standard) { $0[$1.name] = $1.value }
  }

  /// The limits that apply to reading a compiled model.
  static let ofModels: Set<ReadingLimits.Name> = [.depth, .chain, .values, .xmlBytes]

  /// Refuses settings of limits that a command does not use.
  func check(_ names: Set<ReadingLimits.Name>, command: String) throws {
    guard let other = settings.first(where: { !names.contains($0.name) }) else { return }
    throw ValidationError("\(command) does not use the limit \(other.name.rawValue).")
  }

  /// Each limit with its default.
  private static let list = ReadingLimits.Name.allCases
    .map { "\($0.rawValue)=\(ReadingLimits.standard[$0])" }.joined(separator: ", ")
}

extension LimitOptions {
  /// A limit and the number that it is set to.
  struct Setting: Sendable {
    var name: ReadingLimits.Name
    var value: Int

    /// Reads `name=number`.
    init(_ argument: String) throws {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw ValidationError("Specify a limit as name=number, such as depth=1000.")
      }
      guard let name = ReadingLimits.Name(rawValue: String(parts[0])) else {
        let names = ReadingLimits.Name.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("There is no limit with this name; the limits are \(names).")
      }
      guard let value = Int(parts[1]), value >= 1, value <= name.highest else {
        throw ValidationError(
          "The limit \(name.rawValue) must be a whole number from 1 to \(name.highest).")
      }
      self.name = name
      self.value = value
    }
  }
}
