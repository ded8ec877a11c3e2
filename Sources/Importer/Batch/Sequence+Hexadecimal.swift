extension Sequence<UInt8> {
  /// The bytes in hexadecimal, two small digits each.
  var hexadecimal: String {
    func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
    return String(decoding: flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
  }
}
