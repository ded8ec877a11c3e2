// The command line of `convert`, for tests of what is on disk when the program ends. It keeps what
// is done behind each archive, and sends itself a signal at the moment that CONVERT_END_AT names:
//
//     checkpoint 3 9    when three archives are kept: signal 9
//     early 3 9         when three are, or more, of archives whose rows are written while they are
//                       read
//     archive 3 9       when three archives are written, whether they are kept or not
//     finishing 0 15    when all are written
//     publishing 0 2    when the store is about to take its name

import ConvertCommand
import Converter
import Foundation

let words = (ProcessInfo.processInfo.environment["CONVERT_END_AT"] ?? "").split(separator: " ")
let moment = words.first.map(String.init) ?? ""
let count = words.count > 1 ? Int(words[1]) ?? 0 : 0
let number = words.count > 2 ? Int32(words[2]) ?? SIGKILL : SIGKILL

/// Ends the program; nothing more happens on this thread.
@Sendable func end(_ number: Int32) {
  kill(getpid(), number)
  while true { pause() }
}

ConvertCommand.adjustment.withLock { adjustment in
  adjustment = { [moment, count, number] options in
    let isEarly = moment == "early"
    options.checkpointInterval = isEarly ? .nanoseconds(1) : .zero
    if isEarly {
      options.speculation.files = 2
      options.speculation.sampledFiles = 4
      options.speculation.unkeptBytes = 0
    }
    options.onCheckpoint = { done in
      if isEarly ? done >= count : moment == "checkpoint" && done == count { end(number) }
    }
    options.onProgress = { progress in
      switch (moment, progress.phase) {
      case ("archive", .writing) where progress.archives == count: end(number)
      case ("finishing", .finishing): end(number)
      default: break
      }
    }
  }
}
ConvertCommand.main()
