extension StoreSchema {
  /// The columns of a table that SQLite computes from texts, found in the statement that made it.
  ///
  /// They are asked for in the order in which they stand there, which takes one way through it.
  struct NumberColumns {
    private let text: [UInt8]
    /// The offset at which the search goes on.
    private var place = 0
    /// The columns whose values may be such texts, as SQL spells them.
    private var sources: [(name: String, quoted: [UInt8])] = []
    private var knownCount = 0

    /// Takes a statement without the white space that makes no difference.
    init(_ text: String) {
      self.text = Array(text.utf8)
    }

    /// The column of texts, or of values of any kind, whose value a computed column has as a
    /// number.
    ///
    /// - Parameters:
    ///   - name: The computed column.
    ///   - columns: The columns that stand before it.
    /// - Returns: The name; nil if it computes anything else.
    mutating func source(of name: String, _ columns: [Table.Column]) -> String? {
      for column in columns[knownCount...] where [.text, .any].contains(column.type) {
        sources.append((column.name, Array(SQL.quoted(column.name).utf8)))
      }
      knownCount = columns.count
      // What all such declarations begin with, up to the name of the column of texts.
      let whole = declaration(of: name, from: "x")
      guard let end = whole.firstRange(of: Self.beforeSource)?.upperBound else { return nil }
      let start = whole[..<end]
      for range in [place..<text.count, 0..<place] {
        for found in range where isBeginning(found) && text[found...].starts(with: start) {
          let rest = text[(found + start.count)...]
          let source = sources.first {
            rest.starts(with: $0.quoted)
              && text[found...].starts(with: declaration(of: name, from: $0.name))
          }
          guard let source else { continue }
          place = found + start.count
          return source.name
        }
      }
      return nil
    }

    private static let beforeSource = Array("(CASEWHEN".utf8)

    /// True if the declaration of a column may begin at an offset: a longer name may end with this
    /// one.
    private func isBeginning(_ index: Int) -> Bool {
      index > 0 && (text[index - 1] == UInt8(ascii: "(") || text[index - 1] == UInt8(ascii: ","))
    }

    private func declaration(of name: String, from source: String) -> [UInt8] {
      let column = Table.Column(name: name, type: .real, numberOf: source)
      return Array(StoreSchema.essence(of: column.declaration).utf8)
    }
  }
}
