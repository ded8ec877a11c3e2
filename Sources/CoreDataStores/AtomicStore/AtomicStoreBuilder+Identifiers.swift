import GraphCore

extension AtomicStoreBuilder {
  /// The names by which objects of a store are referred to, each with a number of its own: those of
  /// objects that are still to come, too.
  struct Identifiers {
    /// A name: in most stores a number.
    enum Name: Hashable {
      case key(Int64)
      case text(String)
    }

    private var numbers: [Name: Int32] = [:]
    private var names: [Name] = []
    /// For each name the place of its object; below zero where there is none so far.
    private var objects: [Int32] = []

    /// The number of a name.
    mutating func number(of name: Name) -> Int32 {
      if let known = numbers[name] { return known }
      let number = Int32(truncatingIfNeeded: names.count)
      numbers[name] = number
      names.append(name)
      objects.append(-1)
      return number
    }

    /// Gives a name to an object.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: The place of the object.
    /// - Returns: True if no other object has it.
    mutating func assign(_ name: Name, to object: Int) -> Bool {
      let number = Int(number(of: name))
      guard objects[number] < 0 else { return false }
      objects[number] = Int32(truncatingIfNeeded: object)
      return true
    }

    /// The name with a number.
    func name(_ number: Int32) -> Name { names[Int(number)] }

    /// The place of the object with the name of a number; nil if there is none.
    func object(_ number: Int32) -> Int? {
      let object = objects[Int(number)]
      return object < 0 ? nil : Int(object)
    }

    /// The number of names.
    var count: Int { names.count }
  }
}
