import Support

/// An index that a Core Data model asks for: it makes finding and sorting rows faster.
///
/// It changes nothing that can be read from a store, and does not enter version hashes.
public struct FetchIndex: Sendable, Equatable {
  /// The forms of an index.
  public enum Form: String, Sendable, CaseIterable {
    /// A sorted index.
    case binary
    /// An index of ranges of numbers.
    case rTree
  }

  /// A property or an expression that rows are sorted by.
  public struct Element: Sendable, Equatable {
    /// The name of an attribute or a relationship; nil where rows are sorted by an expression.
    public var property: String?
    /// The expression, where the model has it as text: a compiled model does not.
    public var expression: String?
    /// True if small values come first.
    public var isAscending: Bool
    /// The form of the index.
    public var form: Form

    /// Creates an element.
    public init(
      property: String?, expression: String? = nil, isAscending: Bool = true, form: Form = .binary
    ) {
      self.property = property
      self.expression = expression
      self.isAscending = isAscending
      self.form = form
    }
  }

  /// The name of the index.
  public var name: String
  /// The properties and expressions that rows are sorted by, in their order.
  public var elements: [Element]
  /// True if the index is for some rows only.
  public var isPartial: Bool
  /// The predicate of those rows, where the model has it as text: a compiled model does not.
  public var predicate: String?

  /// Creates an index.
  public init(
    name: String, elements: [Element], isPartial: Bool = false, predicate: String? = nil
  ) {
    self.name = name
    self.elements = elements
    self.isPartial = isPartial
    self.predicate = predicate
  }

  /// The property that alone sorts the rows, small values first; nil for other indexes.
  package var onlyAscendingProperty: String? {
    guard elements.count == 1, elements[0].isAscending, elements[0].form == .binary else {
      return nil
    }
    return elements[0].property
  }
}

extension FetchIndex {
  /// The notation for indexes in models of older versions of Xcode.
  ///
  /// Today's compiler turns it into fetch indexes, and adds one for each attribute that is the only
  /// element of another (found by comparing models with what they are compiled to).
  struct Hints {
    /// The attributes with an index of their own (`indexed="YES"`).
    var attributes: [String] = []
    /// Lists of properties that have an index together (`compoundIndex`).
    var compounds: [[String]] = []
    /// True if the model has been compiled to fetch indexes already.
    var areCompiled = false

    /// All fetch indexes of an entity, as a compiled model has them.
    ///
    /// - Parameters:
    ///   - declared: The indexes that the model declares.
    ///   - entity: The entity, with its own attributes.
    /// - Returns: The indexes of single attributes, the declared ones, the compound ones.
    func compiled(_ declared: [FetchIndex], of entity: Entity) -> [FetchIndex] {
      guard !areCompiled else { return declared }
      let own = Set(entity.attributes.map(\.name))
      let hinted = attributes.sorted { $0.precedesInBytes($1) }
      let single = (declared.filter { !$0.isPartial }.compactMap(\.onlyAscendingProperty) + hinted)
        .filter { own.contains($0) }.uniqued().map { name in
          FetchIndex(name: name, elements: [FetchIndex.Element(property: name)])
        }
      let compound = compounds.map { names in
        FetchIndex(
          name: names.joined(separator: "_"),
          elements: names.map { FetchIndex.Element(property: $0) }
        )
      }
      var names: Set<String> = []
      let declaredNames = Set(declared.map(\.name))
      return
        (single.filter { !declaredNames.contains($0.name) } + declared
        + compound.filter { !declaredNames.contains($0.name) })
        .filter { names.insert($0.name).inserted }
    }
  }
}
