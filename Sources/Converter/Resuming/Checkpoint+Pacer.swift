extension Checkpoint {
  /// Tells when it is time to keep what is done.
  struct Pacer {
    private let interval: Duration
    private var last = ContinuousClock.now
    /// True if anything has been kept.
    private var isBegun = false

    /// A pacer that begins now.
    init(_ interval: Duration) { self.interval = interval }

    /// True if it is time, after an archive that may be the last.
    ///
    /// After the last, what is left takes as long as the indexes do. A run that was too short to
    /// keep anything does not begin with it there.
    func isDue(isLast: Bool) -> Bool {
      isLast ? isBegun : ContinuousClock.now - last >= interval
    }

    /// Notes that something is kept.
    mutating func note() {
      last = .now
      isBegun = true
    }
  }
}
