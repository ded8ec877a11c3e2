extension Speculation {
  /// That a sample did not predict what the inputs hold, or that it is not worth going on by it.
  ///
  /// Nothing that was written counts then, and the conversion starts over: no user sees it.
  struct WrongGuess: Error {}
}
