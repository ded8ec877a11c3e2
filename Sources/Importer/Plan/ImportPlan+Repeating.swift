/// The parts of a plan whose rows only the run itself can tell.
extension ImportPlan {
  /// Why the rows of a run cannot be predicted from the archives alone; nil if they can.
  package var reasonToRepeat: String? {
    for pass in passes {
      if pass.entities.contains(where: { $0.policy != nil }) {
        return "policies in Swift made rows"
      }
      for found in pass.classes.values {
        switch found {
        case .hook, .valueHook: return "hooks in Swift made rows"
        default: break
        }
      }
    }
    return nil
  }

  /// Why not even the run itself would make the same rows again; nil if it would.
  package var reasonNotToRepeat: String? {
    let dependsOnTime = passes.contains { pass in
      pass.entities.contains { mapping in
        mapping.filter?.asksForTime == true
          || mapping.relationships.contains { $0.source.asksForTime }
          || mapping.attributes.contains {
            mapping.identity.contains($0.attribute) && $0.source.asksForTime
          }
      }
    }
    return dependsOnTime ? "its rows depend on the time of the run" : nil
  }

  /// True if objects may become rows that others have made: by identity, or as parts of a value.
  package var findsRows: Bool {
    passes.contains { pass in
      pass.entities.contains { mapping in
        !mapping.identity.isEmpty || mapping.relationships.contains { $0.split != nil }
      }
    }
  }
}

extension ValueSource {
  /// True if it is an expression that depends on the time.
  fileprivate var asksForTime: Bool {
    if case .expression(let expression) = self { expression.asksForTime } else { false }
  }
}
