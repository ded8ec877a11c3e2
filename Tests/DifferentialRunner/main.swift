// `make differential`: converts random archives in all ways, random Core Data stores with things that
// their model does not ask for, damaged files beside sound ones, and stores whose model has changed.
// Compares what comes of them with what must be there. A case that goes wrong is told by its seed,
// which picks its kind (`CaseKind`), made smaller, and kept.
//
//     differential [--count 1000] [--seed 1] [--only WORDS] [--keep FOLDER] [--whole]
//
// With --whole, cases are not made smaller. With --only store, batch or migration, only cases of
// that kind are tried.

import DifferentialTesting
import Foundation

var arguments = Array(CommandLine.arguments.dropFirst())
@MainActor func take(_ name: String) -> String? {
  guard let place = arguments.firstIndex(of: name), arguments.indices.contains(place + 1) else {
    return nil
  }
  defer { arguments.removeSubrange(place...(place + 1)) }
  return arguments[place + 1]
}
let count = take("--count").flatMap { UInt64($0) } ?? 1_000
let first = take("--seed").flatMap { UInt64($0) } ?? 1
let isWhole = arguments.contains("--whole")
arguments.removeAll { $0 == "--whole" }
let search = DifferentialSearch(
  seeds: first..<(first + count), keeps: take("--keep"), only: take("--only"),
  shrinks: !isWhole)
guard arguments.isEmpty else {
  print("usage: differential [--count N] [--seed N] [--only WORDS] [--keep FOLDER] [--whole]")
  exit(64)
}
exit(search.run() ? 0 : 1)
