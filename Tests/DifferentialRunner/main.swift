// `make differential`: converts random archives in all ways and compares the stores with what must
// be in them. A case that goes wrong is told by its seed, made smaller, and kept.
//
//     differential [--count 1000] [--seed 1] [--only WORDS] [--keep FOLDER] [--whole]
//
// With --whole, cases are not made smaller.

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
