import TestSupport

/// Reads property lists in XML, node by node, and with both readers: what the one for archivers takes,
/// libxml2 takes with the same result.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzXML(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  _ = PropertyListWalk(bytes)
  if count > 0, case .different(let what) = XMLReaderComparison(bytes).outcome {
    fatalError("The readers differ: \(what)")
  }
  return 0
}
