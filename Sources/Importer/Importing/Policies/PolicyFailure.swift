/// Why a policy ended a run.
struct PolicyFailure: Error, CustomStringConvertible {
  /// The type of the policy.
  var policy: String
  /// The name of the entity mapping.
  var mapping: String
  /// The callback that was running.
  var callback: String
  /// What the policy threw, or gave as the reason of its cancelling.
  var error: any Error

  /// The error in words.
  var description: String {
    "\(policy).\(callback), mapping '\(mapping)': \(ImportFindings.words(of: error))"
  }
}
