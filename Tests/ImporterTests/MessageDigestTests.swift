import Foundation
import Support
import Testing

@Suite("Message digests")
struct MessageDigestTests {
  /// From FIPS 180-4's examples: of nothing, of one block, of several.
  @Test(
    "are those of the standard",
    arguments: [
      (
        "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
          + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
      ),
      (
        "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
          + "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"
      ),
    ])
  func matchStandard(text: String, sha256: String, sha512: String) {
    var digest = MessageDigest.sha256()
    digest.update(text)
    #expect(digest.finish().hexadecimal == sha256)
    var long = MessageDigest.sha512()
    long.update(text)
    #expect(long.finish().hexadecimal == sha512)
  }

  @Test("do not depend on how the bytes are cut into pieces")
  func takePieces() {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let whole = MessageDigest.sha256(of: bytes)
    for size in [1, 63, 64, 65, 4096] {
      var digest = MessageDigest.sha256()
      var rest = bytes[...]
      while !rest.isEmpty {
        digest.update(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(digest.finish() == whole)
    }
  }
}
