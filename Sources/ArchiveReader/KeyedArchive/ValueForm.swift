/// The positions of the keys that hold the value of an object of a known class.
enum ValueForm: BitwiseCopyable, Sendable {
  /// The value of one key is the value: text, data, seconds, bytes or a number.
  case single(Int)
  case url(base: Int, relative: Int)
  case decimal(DecimalPositions)
  /// NSNull has no keys.
  case empty
  /// An array under one key; for pairs, two arrays.
  case arrays(keys: Int?, values: Int)
  /// Elements under numbered keys; their positions are the shape's.
  case numbered(ElementCount?)
  /// Keys that no form of the class has: the object is not read as a value, so nothing is lost.
  case unfit
}

extension ValueForm {
  /// A form that an object has if it holds nothing but nil under some of its keys.
  struct Lenient: Sendable {
    var form: ValueForm
    /// The positions of the keys that must hold nil.
    var unknownKeys: [Int]
  }
}

extension ValueForm {
  /// The positions of the parts of a decimal number.
  ///
  /// Compactness does not matter to the value, but must be what it is.
  struct DecimalPositions: BitwiseCopyable, Sendable {
    var exponent: Int
    var length: Int
    var isNegative: Int
    var mantissa: Int
    var byteOrder: Int?
    var isCompact: Int?
  }

  /// The position of a counted set's count, and the number of its elements.
  struct ElementCount: BitwiseCopyable, Sendable {
    var position: Int
    var elements: Int
  }
}

extension ValueForm {
  /// Finds the form in which a shape holds the value of a known class.
  ///
  /// The keys are those of Foundation's encoders, as measured on real archives; a shape with any
  /// other key has no form.
  struct Finder {
    private let positions: [String: Int]

    init(shapeKeys: [String]) {
      positions = Dictionary(
        zip(shapeKeys, shapeKeys.indices).filter { $0.0 != "$class" }, uniquingKeysWith: { $1 })
      // A key that stands twice cannot be told apart.
      hasDuplicates = positions.count + (shapeKeys.contains("$class") ? 1 : 0) != shapeKeys.count
    }

    private init(_ positions: [String: Int]) {
      self.positions = positions
      hasDuplicates = false
    }

    private let hasDuplicates: Bool

    func form(of known: KnownClass) -> ValueForm {
      guard !hasDuplicates else { return .unfit }
      switch known {
      case .string: return single("NS.string", "NS.bytes")
      case .number: return single("NS.number", "NS.boolval", "NS.intval", "NS.dblval")
      case .data: return single("NS.data", "NS.bytes")
      case .date: return single("NS.time")
      case .uuid: return single("NS.uuidbytes")
      case .null: return positions.isEmpty ? .empty : .unfit
      case .url:
        guard positions.count == 2, let base = positions["NS.base"],
          let relative = positions["NS.relative"]
        else { return .unfit }
        return .url(base: base, relative: relative)
      case .decimal: return decimal
      case .array, .set, .orderedSet:
        if positions.count == 1, let values = positions["NS.objects"] {
          return .arrays(keys: nil, values: values)
        }
        return numbered(known)
      case .dictionary:
        if positions.count == 2, let keys = positions["NS.keys"],
          let values = positions["NS.objects"]
        {
          return .arrays(keys: keys, values: values)
        }
        return numbered(known)
      case .countedSet:
        return numbered(known)
      case .foundation: return .unfit
      }
    }

    /// The form of a class without the keys that the class does not know; nil if there is none.
    func lenientForm(of known: KnownClass) -> Lenient? {
      let names = knownKeys(of: known)
      let unknown = positions.filter { !names.contains($0.key) }
      guard !hasDuplicates, !unknown.isEmpty else { return nil }
      let form = Finder(positions.filter { names.contains($0.key) }).form(of: known)
      if case .unfit = form { return nil }
      return Lenient(form: form, unknownKeys: unknown.values.sorted())
    }

    /// The keys that objects of a class may have.
    private func knownKeys(of known: KnownClass) -> Set<String> {
      switch known {
      case .string: ["NS.string", "NS.bytes"]
      case .number: ["NS.number", "NS.boolval", "NS.intval", "NS.dblval"]
      case .data: ["NS.data", "NS.bytes"]
      case .date: ["NS.time"]
      case .uuid: ["NS.uuidbytes"]
      case .url: ["NS.base", "NS.relative"]
      case .decimal: Self.decimalKeys
      case .array, .set, .orderedSet, .dictionary, .countedSet:
        Set(
          positions.keys.filter { key in Self.collectionKeys.contains { key.hasPrefix($0) } })
      case .null, .foundation: []
      }
    }

    private static let decimalKeys: Set = [
      "NS.exponent", "NS.length", "NS.negative", "NS.compact", "NS.mantissa", "NS.mantissa.bo",
    ]
    private static let collectionKeys = ["NS.object", "NS.key", "NS.count"]

    /// The positions of numbered keys and values, in the order of their numbers.
    func numberedPositions(of known: KnownClass) -> (keys: [Int], values: [Int]) {
      switch known {
      case .array, .set, .orderedSet: ([], sequence("NS.object."))
      case .dictionary: (sequence("NS.key."), sequence("NS.object."))
      case .countedSet: (sequence("NS.object"), sequence("NS.count"))
      default: ([], [])
      }
    }

    // MARK: Forms

    private func single(_ keys: String...) -> ValueForm {
      guard positions.count == 1, let key = keys.first(where: { positions[$0] != nil }),
        let position = positions[key]
      else { return .unfit }
      return .single(position)
    }

    private var decimal: ValueForm {
      guard positions.keys.allSatisfy(Self.decimalKeys.contains),
        let exponent = positions["NS.exponent"],
        let length = positions["NS.length"], let isNegative = positions["NS.negative"],
        let mantissa = positions["NS.mantissa"]
      else { return .unfit }
      return .decimal(
        DecimalPositions(
          exponent: exponent, length: length, isNegative: isNegative, mantissa: mantissa,
          byteOrder: positions["NS.mantissa.bo"], isCompact: positions["NS.compact"]))
    }

    /// The form of elements whose keys are all numbered from 0 without a gap.
    private func numbered(_ known: KnownClass) -> ValueForm {
      let (keys, values) = numberedPositions(of: known)
      let count = known == .countedSet ? positions["NS.count"] : nil
      guard keys.count + values.count + (count == nil ? 0 : 1) == positions.count,
        keys.count == (known.collectionKind?.isKeyed == true ? values.count : 0)
      else { return .unfit }
      return .numbered(count.map { ElementCount(position: $0, elements: values.count) })
    }

    private func sequence(_ prefix: String) -> [Int] {
      var found: [Int] = []
      while let position = positions["\(prefix)\(found.count)"] { found.append(position) }
      return found
    }
  }
}
