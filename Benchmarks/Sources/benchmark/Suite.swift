/// What is measured.
struct Suite {
  let tools: Tools
  let inputs: Inputs

  private var store: String { "\(inputs.folder)/ours.sqlite" }
  private var peerStore: String { "\(inputs.folder)/peer.sqlite" }

  /// Conversions, reading, inspection and verification of an archive of many notes.
  func comparisons(notes count: Int, withXML: Bool) throws -> [Comparison] {
    let input = try inputs.notes(count)
    let draft = try inputs.draft(of: input)
    let model = ["--model", tools.model]
    var all = [
      conversion("inferred", input, peers: true),
      conversion("with the drafted mapping", input, ["--mapping", draft]),
      conversion("with a mapping that converts", input, ["--mapping", tools.mapping]),
      conversion("with a model", input, model),
      conversion("with hooks in Swift", input, model, hooks: true),
      conversion("Core Data layout", input, model + ["--layout", "coredata"]),
    ]
    if withXML {
      let xml = try inputs.xmlNotes(count)
      all.append(conversion("XML, inferred", xml, peers: true))
      all.append(
        Comparison(
          title: "XML, inspected",
          contenders: [
            ours(["inspect", xml]), .init(role: .limit, program: tools.tool("parse-xml", [xml])),
          ]))
    }
    return all + [
      Comparison(
        title: "read into objects",
        contenders: [
          .init(role: .ours, program: tools.tool("read-notes", [input])),
          .init(role: .limit, program: tools.tool("visit-objects", [input])),
          .init(role: .foundation, program: tools.tool("foundation-converter", ["--read", input])),
        ] + plistlib(["--read", input])),
      Comparison(
        title: "inspected",
        contenders: [
          ours(["inspect", input]),
          .init(role: .limit, program: tools.tool("visit-objects", [input])),
        ]),
    ]
  }

  /// The verification of a store, beside the conversion that wrote it.
  func verification(notes count: Int) throws -> Comparison {
    let input = try inputs.notes(count)
    let verified = "\(inputs.folder)/verified.sqlite"
    let convert = Program(path: tools.convert, arguments: [input, "-o", verified, "--quiet"])
    return Comparison(
      title: "verified, next to its conversion",
      contenders: [
        .init(role: .limit, program: convert, output: verified),
        ours(["verify", verified, input, "--quiet"]),
      ])
  }

  /// The conversion of a directory of small archives.
  func directory(_ count: Int, jobs: Int) throws -> Comparison {
    let input = try inputs.directory(count)
    return conversion(
      "\(count) archives, \(jobs) jobs", input, ["--jobs", String(jobs)], peers: true)
  }

  private func conversion(
    _ title: String, _ input: String, _ options: [String] = [], hooks: Bool = false,
    peers: Bool = false
  ) -> Comparison {
    let arguments = [input, "-o", store, "--quiet"] + options
    let program =
      hooks
      ? tools.tool("notes-converter", arguments)
      : Program(path: tools.convert, arguments: arguments)
    let insertion = tools.tool("insert-rows", [tools.schema, inputs.rows(of: input), peerStore])
    var contenders = [
      Comparison.Contender(role: .ours, program: program, output: store),
      Comparison.Contender(role: .limit, program: insertion, output: peerStore),
    ]
    if peers {
      let foundation = tools.tool("foundation-converter", [tools.schema, input, peerStore])
      contenders += plistlib([tools.schema, input, peerStore], output: peerStore)
      contenders.append(.init(role: .foundation, program: foundation, output: peerStore))
    }
    return Comparison(title: title, contenders: contenders)
  }

  private func ours(_ arguments: [String]) -> Comparison.Contender {
    .init(role: .ours, program: Program(path: tools.convert, arguments: arguments))
  }

  private func plistlib(
    _ arguments: [String], output: String? = nil
  ) -> [Comparison.Contender] {
    tools.plistlib(arguments).map { [.init(role: .plistlib, program: $0, output: output)] } ?? []
  }
}
