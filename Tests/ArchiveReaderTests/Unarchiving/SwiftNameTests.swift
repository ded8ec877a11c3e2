import ArchiveReader
import Testing

@Suite("Names of Swift classes")
struct SwiftNameTests {
  // What stands on the right is what Swift's own demangler says, without its shorter forms.
  static let types = [
    ("_TtC6Garden5Plant", "Garden.Plant"),
    ("_TtCC6Garden5Plant4Leaf", "Garden.Plant.Leaf"),
    ("_TtCCC6Garden5Plant4Leaf4Vein", "Garden.Plant.Leaf.Vein"),
    ("_TtV6Garden5Shape", "Garden.Shape"),
    ("_TtO6Garden5Color", "Garden.Color"),
    ("_TtCV6Garden5Shape4Leaf", "Garden.Shape.Leaf"),
    ("_TtP6Garden5Walks_", "Garden.Walks"),
    ("_TtSi", "Swift.Int"),
    // In an extension, what is extended counts.
    ("_TtCE4MainC6Garden5Plant4Leaf", "Garden.Plant.Leaf"),
    // Private: the mark of the file is left out.
    ("_TtC6GardenP33_0B4E7C1C8E2C1E0F8B8C1C4E6E3E5F3E5Plant", "Garden.Plant"),
    ("_TtCC6Garden5PlantP33_0B4E7C1C8E2C1E0F8B8C1C4E6E3E5F3E4Leaf", "Garden.Plant.Leaf"),
    // Generic
    ("_TtGC6Garden3BoxSi_", "Garden.Box<Swift.Int>"),
    ("_TtGC6Garden3BoxCS_5Plant_", "Garden.Box<Garden.Plant>"),
    ("_TtGC6Garden3BoxCSo8NSString_", "Garden.Box<__C.NSString>"),
    ("_TtGC6Garden4PairSSGSaSi__", "Garden.Pair<Swift.String, Swift.Array<Swift.Int>>"),
    ("_TtGC6Garden3BoxGSqSS__", "Garden.Box<Swift.Optional<Swift.String>>"),
    (
      "_TtGC6Garden3BoxGVs10DictionarySSSi__",
      "Garden.Box<Swift.Dictionary<Swift.String, Swift.Int>>"
    ),
    ("_TtGCC6Garden3Box4LeafSi__", "Garden.Box<Swift.Int>.Leaf"),
    ("_TtGCC6Garden3Box4Leaf_Si_", "Garden.Box.Leaf<Swift.Int>"),
    ("_TtGCC6Garden3Box4LeafSi_SS_", "Garden.Box<Swift.Int>.Leaf<Swift.String>"),
    ("_TtGC6Garden4PairCS_5PlantS1__", "Garden.Pair<Garden.Plant, Garden.Plant>"),
    ("_TtGC6Garden3BoxTSiSS__", "Garden.Box<(Swift.Int, Swift.String)>"),
    ("_TtGC6Garden3BoxT1aSi1bSS__", "Garden.Box<(a: Swift.Int, b: Swift.String)>"),
    ("_TtGC6Garden3BoxFSiSS_", "Garden.Box<(Swift.Int) -> Swift.String>"),
    ("_TtGC6Garden3BoxMSi_", "Garden.Box<Swift.Int.Type>"),
    ("_TtGC6Garden3BoxP__", "Garden.Box<Any>"),
    ("_TtGC6Garden3BoxPS_5Walks__", "Garden.Box<Garden.Walks>"),
    ("_TtGC6Garden3BoxPS_5WalksS_4Runs__", "Garden.Box<Garden.Walks & Garden.Runs>"),
    // Identifiers beyond ASCII
    ("_TtC1pX7Grn_ioa", "p.Grün"), ("_TtCC1pX7Grn_ioaX7L_qfaCe", "p.Grün.Löß"),
    ("_TtC1pX6wgvHBa", "p.日本"),
  ]

  @Test("have a plain form where they are mangled", arguments: types)
  func mangled(name: String, plain: String) {
    #expect(SwiftName.plain(name) == plain)
    #expect(SwiftName.readable(name) == plain)
  }

  static let others = [
    "", "NSString", "Garden.Plant", "MTNote", "_Tt", "_TtC", "_TtC6Garden", "_TtC6Garden5Plan",
    "_TtC6Garden5PlantX", "_TtC0", "_TtC6Garden0", "_TtX6Garden5Plant",
    "_TtC999999999999999999999999Garden5Plant", "_TtCS_5Plant", "_TtCS9_5Plant",
    "_TtC6GardenX9caf_dma", "_TtGC6Garden3BoxSi", "_TtGC6Garden3BoxSiSS", "_TtSz", "_TtCSo",
    "_TtP_", "_TtT", "_TtF", "_TtM", "_TtC6Garden5PlantP5", "_TtCP33_5Plant",
    "$s6Garden5PlantC", "_T06Garden5PlantC",
  ]

  @Test("stay as they are where they are not, or are damaged", arguments: others)
  func unmangled(name: String) {
    #expect(SwiftName.plain(name) == nil)
    #expect(SwiftName.readable(name) == name)
  }

  @Test("are read to an end, however deep and however long they are")
  func hostile() {
    let deep = [
      "_Tt" + String(repeating: "M", count: 4000), "_Tt" + String(repeating: "C", count: 4000),
      "_Tt" + String(repeating: "GSq", count: 1000), "_Tt" + String(repeating: "CE", count: 1000),
      "_Tt" + String(repeating: "GC1p3Box", count: 500),
    ]
    for name in deep { #expect(SwiftName.plain(name) == nil) }
    let long = String(repeating: "a", count: 5000)
    #expect(SwiftName.plain("_TtC1p5000\(long)") == nil)
  }
}
