import ArgumentParser
import Converter
import Foundation
import Support

extension ConvertCommand {
  /// `convert profile`: what a shard holds.
  struct Profile: PathListing {
    static let configuration = CommandConfiguration(
      commandName: "profile",
      abstract: "Find out what a shard holds: one part of the archives of a run on many machines.",
      discussion: """
        Each shard has a profile, merge-profiles makes one file of them, plan the plan of all, \
        run --plan the store of each shard, and combine one store of these. Files that hold no \
        archive are passed over, as in a directory.
        """)

    @Argument(help: "The files of the shard, in order.", completion: .file())
    var inputs: [String] = []

    @OptionGroup var inputList: InputList

    @Option(
      help: ArgumentHelp("The shard, and the number of all: 3/64.", valueName: "number/count"))
    var shard: Shard

    @OptionGroup var file: ShardOutput

    @Option(
      help: ArgumentHelp(
        "Take the profile again, by a plan that has found it stale; the plan has the other options.",
        valueName: "plan"), completion: .file())
    var plan: String?

    @OptionGroup var request: RequestOptions

    @OptionGroup var process: ProcessOptions

    func validate() throws {
      try inputList.check(inputs)
      guard plan == nil || request.isEmpty else {
        throw ValidationError("--plan has the options that say what becomes of archives.")
      }
    }

    func run() throws {
      var options = ConversionOptions()
      process.apply(to: &options)
      request.apply(to: &options)
      options.existingStore = file.isReplacing ? .replace : .fail
      let inputs = try inputList.all(inputs, needsSome: false)
      try Outcome.perform { () throws(ConversionError) in
        try ShardedRun.profile(shard, of: inputs, options, by: plan, to: file.output)
      }
    }
  }

  /// `convert merge-profiles`: the profiles of all shards in one file.
  struct MergeProfiles: PathListing {
    static let configuration = CommandConfiguration(
      commandName: "merge-profiles",
      abstract: "Put the profiles of shards into one file, in whatever order.")

    @Argument(
      help: ArgumentHelp("Files with profiles; none for an empty file.", valueName: "profiles"),
      completion: .file())
    var inputs: [String] = []

    @OptionGroup var file: ShardOutput

    func run() throws {
      try Outcome.perform { () throws(ConversionError) in
        try ShardedRun.merge(inputs, to: file.output, replacing: file.isReplacing)
      }
    }
  }

  /// `convert plan`: the plan of a run over many shards.
  struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "plan",
      abstract: "Make the plan of a run from the profiles of all shards.",
      discussion: """
        Prints JSON: the digest of the plan ("sha256"), the columns that have values of several \
        types, by table ("mixed"), and the shards whose profiles are to be taken again with profile \
        --plan and planned with ("stale"), since all archives together have shown what they could \
        not know. The exit code is 1 if there are any.
        """)

    @Argument(help: "The file with all profiles.", completion: .file())
    var profiles: String

    @OptionGroup var file: ShardOutput

    func run() throws {
      let result = try Outcome.perform { () throws(ConversionError) in
        try ShardedRun.plan(
          profiles, to: file.output, replacing: file.isReplacing, time: SourceDate.fixed ?? .now)
      }
      try Console.print(text: try result.text)
      if !result.stale.isEmpty { throw Outcome.incomplete }
    }
  }

  /// `convert combine`: one store of those of all shards.
  struct Combine: PathListing {
    static let configuration = CommandConfiguration(
      commandName: "combine",
      abstract: "Make one store of the stores of all shards, the same as one machine writes.")

    @Argument(
      help: ArgumentHelp("The stores of all shards, in whatever order.", valueName: "shards"),
      completion: .file())
    var inputs: [String]

    @OptionGroup var file: ShardOutput

    @OptionGroup var output: OutputOptions

    func run() throws {
      try output.prepare()
      var options = ConversionOptions()
      options.existingStore = file.isReplacing ? .replace : .fail
      let display = output.apply(to: &options)
      let report = try Outcome.perform { () throws(ConversionError) in
        defer { display?.end() }
        return try ShardedRun.combine(inputs, to: file.output, options)
      }
      try output.finish(report)
    }
  }
}

/// The file that a command on shards writes.
struct ShardOutput: ParsableArguments {
  @Option(name: [.short, .long], help: "The file to write.", completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "What to do if a file of this name already exists.", valueName: "fail|replace"))
  var ifExists = ExistingFile.fail

  var isReplacing: Bool { ifExists == .replace }

  func validate() throws { try StandardOutput.refuse(output, "-o") }
}

extension Shard: ExpressibleByArgument {
  /// Reads a shard of the command line.
  public init?(argument: String) { self.init(argument) }
}

extension Outcome {
  /// Does a piece of work, and ends the command if it cannot be done.
  fileprivate static func perform<Result>(
    _ work: () throws(ConversionError) -> Result
  ) throws -> Result {
    let interruption = Interruption()
    defer { interruption.end() }
    do throws(ConversionError) {
      return try work()
    } catch {
      Console.complain(of: error)
      throw impossible
    }
  }
}
