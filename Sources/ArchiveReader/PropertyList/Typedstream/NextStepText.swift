import Foundation

/// Text in the encoding of NeXTSTEP and OPENSTEP: ASCII, and 128 characters of its own.
enum NextStepText {
  static func string(_ bytes: some Collection<UInt8>) -> String {
    String(bytes: bytes, encoding: .nextstep) ?? String(decoding: bytes, as: UTF8.self)
  }
}
