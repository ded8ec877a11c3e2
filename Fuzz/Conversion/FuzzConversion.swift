import Converter
import Foundation

/// The folder for the store, in memory where there is such a place.
private let folder: String = {
  let memory = "/dev/shm"
  let parent = FileManager.default.fileExists(atPath: memory) ? memory : NSTemporaryDirectory()
  let path = "\(parent)/fuzz-conversion-\(ProcessInfo.processInfo.processIdentifier)"
  try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  return path
}()

/// Converts archives, those inside of them too, into stores, with a model drawn from each; some with
/// one that a small sample predicts.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzConversion(start: UnsafePointer<UInt8>?, count: Int) -> Int32 {
  let (archive, store) = ("\(folder)/archive", "\(folder)/store")
  let bytes = Data(UnsafeBufferPointer(start: start, count: count))
  guard FileManager.default.createFile(atPath: archive, contents: bytes) else { return 0 }
  var options = ConversionOptions()
  options.recordsProvenance = count.isMultiple(of: 2)
  let startsEarly = count.isMultiple(of: 5)
  options.salvages = count.isMultiple(of: 3) && !startsEarly
  options.opensNested = !startsEarly
  options.speculation.bytes = startsEarly ? 0 : .max
  options.speculation.sample.objects = 2
  var conversion = Conversion(inputs: [archive], destination: store, options: options)
  _ = try? conversion.run()
  for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
    try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
  }
  return 0
}
