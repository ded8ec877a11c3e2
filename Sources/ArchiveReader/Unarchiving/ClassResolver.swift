extension KeyedUnarchiver {
  /// Finds out what decodes the objects of an archived class.
  ///
  /// The order is that of `NSKeyedUnarchiver`: the unarchiver's own translation, the one for all,
  /// the name itself, the archive's hints in their order, and at last who is asked for unknown
  /// classes. Each step looks a name up once, so that translations and hints that lead back to
  /// themselves end.
  struct ClassResolver {
    /// The ways to decode the objects of a class.
    enum Resolution {
      case type(any KeyedDecodable.Type)
      /// They are values or collections of Foundation.
      case known(KnownClass)
      case value(DecodedValue)
      case unknown
    }

    private let options: UnarchivingOptions
    private let types: [String: any KeyedDecodable.Type]
    private var resolutions: [ClassID: Resolution] = [:]

    init(_ options: UnarchivingOptions) {
      self.options = options
      var types: [String: any KeyedDecodable.Type] = [:]
      for type in options.types {
        for name in type.archivedClassNames { types[ArchivedName.text(name)] = type }
      }
      self.types = types
    }

    /// Names of classes of Foundation that something else decodes.
    var classesReadAsObjects: Set<String> {
      Set(types.keys).union(options.translation.names).union(options.globalTranslation.names)
    }

    /// The way to decode the objects of a class.
    mutating func resolution(of id: ClassID, _ record: ClassRecord) -> Resolution {
      if let known = resolutions[id] { return known }
      let found = resolve(record)
      resolutions[id] = found
      return found
    }

    private func resolve(_ record: ClassRecord) -> Resolution {
      for translation in [options.translation, options.globalTranslation] {
        if let target = translation.target(of: record.name), let found = resolution(of: target) {
          return found
        }
      }
      if let found = resolution(ofName: record.name) { return found }
      for hint in record.hints {
        if let found = resolution(ofName: hint) { return found }
      }
      let unknown = UnknownClass(
        name: ArchivedName.plain(record.name), hierarchy: record.hierarchy.map(ArchivedName.plain),
        hints: record.hints.map(ArchivedName.plain))
      switch options.substitute?(unknown) {
      case .type(let type): return .type(type.classForKeyedUnarchiver)
      case .className(let name): return resolution(ofName: ArchivedName.text(name)) ?? .unknown
      case .value(let value): return .value(value)
      case nil: return .unknown
      }
    }

    private func resolution(of target: AllowedClass) -> Resolution? {
      switch target {
      case .type(let type): .type(type.classForKeyedUnarchiver)
      case .name(let name): resolution(ofName: ArchivedName.text(name))
      }
    }

    private func resolution(ofName name: String) -> Resolution? {
      if let type = type(named: name) { return .type(type.classForKeyedUnarchiver) }
      return KnownClass(archivedName: name).map { .known($0) }
    }

    private func type(named name: String) -> (any KeyedDecodable.Type)? {
      types[name] ?? SwiftName.plain(name).flatMap { types[$0] }
    }

    // MARK: Lists of classes

    /// True if a type is one of some classes, or a subclass of one.
    func isAllowed(_ type: any KeyedDecodable.Type, _ classes: [AllowedClass]) -> Bool {
      classes.contains { allowed in
        switch allowed {
        case .type(let other): type.isKind(of: other)
        case .name(let name):
          self.type(named: ArchivedName.text(name)).map { type.isKind(of: $0) } ?? false
        }
      }
    }

    /// True if a class of Foundation is one of some classes, or a subclass of one.
    func isAllowed(_ known: KnownClass, _ classes: [AllowedClass]) -> Bool {
      classes.contains { allowed in
        guard case .name(let name) = allowed else { return false }
        return known.isKind(ofClassNamed: name)
      }
    }
  }
}
