import ArchiveReader
import GraphTesting
import TestSupport

/// Opens and inspects typedstreams, by themselves and with what is said of their positions, and checks
/// that what is read keeps the laws of object graphs.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzTypedstream(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  let file = ByteStorage(UnsafeBufferPointer(start: start, count: count))
  guard let list = try? PropertyList(typedstream: file), let archive = try? KeyedArchive(list)
  else { return 0 }
  _ = try? archive.inspect(limits: .standard)
  let faults = checkGraph(archive)
  precondition(faults.isEmpty, "\(faults)")
  var evidence = PositionEvidence()
  evidence.add(file.borrowed, limits: .standard)
  var said: [String: PositionRules.Class] = [:]
  for (name, found) in evidence.rules(PositionRules(), earlier: PositionRules()).classes {
    var rules = PositionRules.Class(
      fields: [["a", nil], ["b"]], lists: Set(count % 4...3))
    // Also what no store of this program says.
    rules.arities = count % 2 == 0 ? found.arities : [1: count % 5 - 1, 2: 1, 3: 2]
    said[name] = rules
  }
  guard let named = try? PropertyList(typedstream: file, PositionRules(said)),
    let archive = try? KeyedArchive(named)
  else { preconditionFailure("it cannot be read with names") }
  let others = checkGraph(archive)
  precondition(others.isEmpty, "\(others)")
  return 0
}
