import ArchiveReader
import ArgumentParser
import Converter
import Mappings
import Migration

// Core Data's mapping models: mistakes, and the whole in a readable form.
extension ConvertCommand.Check {
  /// Checks a mapping model between the two models that it leads between.
  func checkMappingModel() throws {
    let checked: CheckedMappingModel
    do {
      let mapping = try AvailableMappingModel(contentsOf: file, limits: limitOptions.limits)
      let versions =
        model.isEmpty ? nil : try ModelVersions(contentsOf: model, limits: limitOptions.limits)
      guard
        let found = try CheckedMappingModel(
          mapping, versions, acceptsDrift: acceptModelDrift, limitOptions.limits)
      else {
        Console.complain(missingModels(of: mapping))
        throw Outcome.impossible
      }
      checked = found
    } catch let error as ModelError {
      Console.complain("\(error.placed(in: file))")
      throw Outcome.impossible
    }
    if !quiet {
      try Console.print(text: checked.listing + "\n")
      for policy in checked.check.policies {
        let mappings = policy.uses.map(\.entityMapping).joined(separator: ", ")
        try Console.print("\(file): note: needs the policy \(policy.className) for \(mappings)")
      }
    }
    for finding in checked.check.findings {
      if finding.severity == .error {
        Console.complain("\(file): \(finding)")
      } else if !quiet {
        try Console.print("\(file): \(finding.severity.rawValue): \(finding)")
      }
    }
    for error in checked.refusals { Console.complain("\(file): \(error)") }
    let drifts = acceptModelDrift ? [] : checked.drifts
    for drift in drifts { Console.complain("\(file): \(drift.sentence)") }
    guard drifts.isEmpty, checked.check.isUsable, checked.refusals.isEmpty else {
      throw Outcome.incomplete
    }
    if !quiet { try Console.print("\(file): no mistakes found") }
  }

  /// The message where there are no models to check a mapping model against.
  private func missingModels(of mapping: AvailableMappingModel) -> String {
    guard !model.isEmpty else {
      return "\(file): the mapping model contains no models; specify their versions with --model"
    }
    let message =
      "\(model.joined(separator: ", ")): does not contain the versions that the mapping model leads between"
    let names = [mapping.source.name, mapping.destination.name].compactMap(\.self)
    guard names.count == 2 else { return message }
    return "\(message): '\(names[0])' and '\(names[1])'"
  }
}

/// A mapping model that has been checked between two models.
private struct CheckedMappingModel {
  /// The findings of the check.
  let check: MappingModelCheck
  /// Why a migration would refuse it, besides the mistakes that were found.
  let refusals: [MigrationError]
  /// The differences of the given versions from those that the mapping model was made for.
  let drifts: [MappingModelDrift]
  /// The whole mapping model as text.
  let listing: String

  /// Checks a mapping model between two of the given versions, else between the models that it
  /// embeds.
  ///
  /// - Returns: Nil if there are no such models.
  init?(
    _ mapping: AvailableMappingModel, _ versions: ModelVersions?, acceptsDrift: Bool,
    _ limits: ReadingLimits
  ) throws(ModelError) {
    let source: Model
    let destination: Model
    if let versions {
      guard let placement = mapping.placement(among: versions.versions) else { return nil }
      source = placement.source.source.model
      destination = placement.destination.source.model
      drifts = placement.drifts
    } else {
      guard let old = mapping.source.model, let new = mapping.destination.model else { return nil }
      (source, destination, drifts) = (old, new, [])
    }
    let compiled: MappingModel
    switch mapping.file {
    case .compiled(let model):
      compiled = model
      check = MappingModelCheck(model, from: source, to: destination)
      listing = MappingModelListing.text(of: model)
    case .document(let document):
      check = try MappingModelCheck(document, from: source, to: destination, limits: limits)
      compiled = document.compiled(from: source, to: destination)
      listing = MappingModelListing.text(of: document, compiled: compiled)
    }
    let known = check.findings.filter { $0.severity == .error }
    refusals = MigrationProgram.problems(
      of: compiled, from: source, to: destination, acceptsDrift: acceptsDrift && !drifts.isEmpty
    ).filter { error in
      !known.contains { $0.entity == error.entityMapping && $0.property == error.property }
    }
  }
}
