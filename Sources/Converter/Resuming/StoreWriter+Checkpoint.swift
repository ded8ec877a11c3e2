extension StoreWriter {
  /// Completes the transaction, with the rows up to now and the progress, and begins another.
  ///
  /// - Parameters:
  ///   - progress: What is done.
  ///   - losses: The list of losses after those in memory, and how much of it is kept already.
  ///   - beginning: What tells one request from another, for a run that is to go on with this one:
  ///     it is written with the first checkpoint, and again as long as inputs are being read.
  ///   - body: Called when it is kept, on the queue's thread.
  /// - Throws: An error that an earlier row met.
  func checkpoint(
    _ progress: Checkpoint.Progress, _ losses: (UnlistedEntries, from: Int64),
    beginning: Checkpoint.Beginning?,
    _ body: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    let content = try Checkpoint.encoded(progress)
    try commit(
      { (database) throws(StoreError) in
        if let beginning { try Checkpoint.begin(beginning, in: database) }
        try Checkpoint.write(content, in: database)
        try Checkpoint.write(losses.0, from: losses.from, in: database)
      }, body)
  }
}
