/// What stands in the sample library.
enum MentalCaseContent {
  struct Folder {
    let id: String
    let title: String
    var isEditable = true
    var folders: [Folder] = []
    let notes: [Note]
  }

  struct Note {
    let number: UInt8
    let title: String
    let text: String
    var isEditable = true
    let rank: Int64
    let ease: Float
    /// Seconds since 2001.
    let created: Double
    /// Seconds between creation and the last change.
    var age = 0.0
    var price: String?
    var link: String?
    var linkBase: String?
    var sound: [UInt8]?
    var sketch: [UInt8]?
    var tags: [String] = []
    var hints: [String] = []
  }

  static let folders = [
    Folder(
      id: "FOLDER-1", title: "Languages",
      folders: [Folder(id: "FOLDER-2", title: "日本語", notes: japanese)], notes: spanish),
    Folder(id: "FOLDER-3", title: "Market prices", isEditable: false, notes: prices),
  ]

  private static let spanish = [
    Note(
      number: 1, title: "mañana", text: "Tomorrow; also: the morning.", rank: 1, ease: 2.5,
      created: 290_000_000.125, age: 86_400.5, link: "ma%C3%B1ana",
      linkBase: "https://dictionary.example/es/", tags: ["noun", "time"], hints: ["ma…", "…ana"]),
    Note(
      number: 2, title: "el niño", text: "The child 👶", rank: 2, ease: 1.75,
      created: 290_000_060.25, tags: ["noun", "people"]),
    Note(
      number: 3, title: "¿Cómo estás?", text: "How are you?\nInformal.", rank: 3, ease: 2.1,
      created: 290_000_120.5, age: 3.75, sound: [0x63, 0x61, 0x66, 0x66, 0x00, 0x01, 0xFF],
      tags: ["phrase"]),
    Note(
      number: 4, title: "la cigüeña", text: "The stork", isEditable: false, rank: -1, ease: 0,
      created: 290_000_180, tags: ["noun", "animals"]),
  ]

  private static let japanese = [
    Note(
      number: 5, title: "水", text: "みず — water 💧", rank: 1, ease: 2.5, created: 291_500_000.75,
      age: 604_800, link: "https://dictionary.example/ja/%E6%B0%B4",
      sketch: [0x00, 0x7F, 0x80, 0xFF, 0x10, 0x20], tags: ["名詞", "N5"], hints: ["氵"]),
    Note(
      number: 6, title: "食べる", text: "たべる — to eat", rank: 2, ease: 1.3,
      created: 291_500_030.001, tags: ["動詞", "N5"]),
    Note(
      number: 7, title: "葛󠄀城", text: "A place name with a variation selector", rank: 3, ease: 3.25,
      created: 291_500_090.875, tags: []),
    Note(
      number: 8, title: "がぎぐ", text: "Written in composed and か\u{3099} in decomposed form",
      rank: 2_147_483_648, ease: 2, created: 291_500_100, age: 0.001, tags: ["kana"]),
  ]

  private static let prices = [
    Note(
      number: 9, title: "Bread", text: "A loaf at the corner shop", isEditable: false, rank: 1,
      ease: 2.5, created: 292_000_000, price: "2.35", tags: ["food"]),
    Note(
      number: 10, title: "Deposit", text: "Given back for bottles & cans <glass>", rank: 2,
      ease: 2.5, created: 292_000_010.5, price: "-0.25", tags: ["food", "refund"]),
    Note(
      number: 11, title: "House", text: "", rank: 3, ease: 0.1, created: 292_000_020.25,
      price: "1250000", sketch: [], tags: ["big"]),
    Note(
      number: 12, title: "Grain", text: "One grain of rice 🌾🇯🇵", rank: 4, ease: -1.5,
      created: -1.5, price: "0.00012345678901234567890123456789", sound: [], tags: ["food"],
      hints: ["small", "very small"]),
  ]
}
