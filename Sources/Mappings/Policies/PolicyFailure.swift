/// Why a policy ended a run.
package struct PolicyFailure: Error, CustomStringConvertible {
  /// The type of the policy.
  package var policy: String
  /// The name of the entity mapping.
  package var mapping: String
  /// The callback that was running.
  package var callback: String
  /// The error that the policy threw, or gave as the reason of its cancelling.
  package var error: any Error

  /// Creates a failure.
  package init(
    of policy: any MigrationPolicy, mapping: String, callback: String, error: any Error
  ) {
    self.policy = "\(type(of: policy))"
    self.mapping = mapping
    self.callback = callback
    self.error = error
  }

  /// The error in words.
  package var description: String {
    "\(policy).\(callback), mapping '\(mapping)': \(ImportError.words(of: error))"
  }
}
