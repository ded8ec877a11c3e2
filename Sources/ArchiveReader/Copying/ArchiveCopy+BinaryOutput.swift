import ArchiveWriter
import Foundation

extension ArchiveCopy {
  /// The binary form of an archive: the frame, then the objects, each with what it holds.
  struct BinaryOutput {
    private let copy: ArchiveCopy
    private var stream: BinaryPropertyListStream
    private let flush: ([UInt8]) throws -> Void
    /// The numbers of values that have been referred to, less one, by their nodes: where the archive
    /// is binary, for all of them; else for texts, of which keys repeat.
    private var numbers: [UInt32]
    private var textNumbers: [Int: Int] = [:]
    /// The numbers of new keys.
    private var keyNumbers: [String: (key: String, number: Int)] = [:]
    private var keysNumbers: [ObjectIdentifier: (keys: Keys, numbers: [Int])] = [:]
    /// The numbers of references, less one, by their UIDs.
    private var references: [UInt32]
    /// The numbers of lists that are that of the objects, and the number of the first of these.
    private var lists: [Int] = []
    private var firstObject = 0
    private var pending: [(part: Part, number: Int)] = []
    /// The numbers of what the container holds that is being written.
    private var members: [Int] = []
    private let maxValues: Int

    init(_ copy: ArchiveCopy, maxObjects: Int, _ flush: @escaping ([UInt8]) throws -> Void) {
      self.copy = copy
      self.flush = flush
      stream = BinaryPropertyListStream(maxObjects: maxObjects)
      let isBinary = copy.archive.propertyList.format == .binary
      numbers = isBinary ? Array(repeating: 0, count: copy.archive.table.count) : []
      maxValues = copy.maxValues
      references = Array(repeating: 0, count: copy.knownCount)
    }

    /// Writes the archive; returns the numbers of values and of objects.
    mutating func write() throws -> (values: Int, objects: Int) {
      let top = stream.reserve()
      pending.append((.node(copy.archive.propertyList.top), top))
      try writePending()
      let count = lists.isEmpty ? 0 : try writeObjects()
      try stream.finish(top: top) { stream in try flush(stream.takeBytes()) }
      return (stream.count, count)
    }

    /// Writes the objects, then the list of them; returns their number.
    private mutating func writeObjects() throws -> Int {
      for uid in 0..<copy.objectCount {
        pending.append((copy[uid], firstObject + uid))
        try writePending()
      }
      var next = firstObject + copy.objectCount
      // The numbers of those that are not known before.
      var others: [UInt32] = []
      try copy.made?.make { series, part in
        switch series {
        case .first:
          pending.append((part, next))
          next += 1
        case .second: others.append(UInt32(truncatingIfNeeded: newNumber(of: part)))
        }
        try writePending()
      }
      let count = copy.knownCount + others.count
      for list in lists {
        stream.beginList(count, isSet: false, as: list)
        for uid in 0..<count {
          let number =
            uid < copy.knownCount ? firstObject + uid : Int(others[uid - copy.knownCount])
          stream.write(reference: number)
          try flushIfDue()
        }
      }
      return count
    }

    private mutating func writePending() throws {
      while let (part, number) = pending.popLast() {
        guard stream.count <= maxValues else { throw ReadingLimits.standard.exceeded(.expansion) }
        try write(part, as: number)
        try flushIfDue()
      }
    }

    private mutating func flushIfDue() throws {
      if stream.pendingCount >= copyChunk { try flush(stream.takeBytes()) }
    }

    private mutating func write(_ part: Part, as number: Int) throws {
      switch part {
      case .node(let node): try write(node, as: number)
      case .leaf(let value): stream.write(value, as: number)
      case .array(let elements): writeList(elements, as: number)
      case .dictionary(let entries):
        members.removeAll(keepingCapacity: true)
        for entry in entries { members.append(self.number(ofKey: entry.key)) }
        for entry in entries { members.append(self.number(of: entry.value)) }
        stream.beginDictionary(entries.count, as: number)
        stream.write(references: members)
      case .object(let keys, let values):
        let keyNumbers = numbers(of: keys)
        members.removeAll(keepingCapacity: true)
        for value in values { members.append(self.number(of: value)) }
        stream.beginDictionary(keyNumbers.count, as: number)
        stream.write(references: keyNumbers)
        stream.write(references: members)
      }
    }

    private mutating func writeList(_ elements: [Part], as number: Int) {
      members.removeAll(keepingCapacity: true)
      for element in elements { members.append(self.number(of: element)) }
      stream.beginList(elements.count, isSet: false, as: number)
      stream.write(references: members)
    }

    private mutating func write(_ node: Node, as number: Int) throws {
      let table = copy.archive.table
      switch table.value(of: node) {
      case .array(let run) where run == copy.archive.objects && run.count > 0:
        if lists.isEmpty { firstObject = stream.reserve(copy.knownCount) }
        lists.append(number)
      case .array(let run): writeList(run, isSet: false, as: number)
      case .set(let run): writeList(run, isSet: true, as: number)
      case .dictionary(let keys, let values):
        let isFrame = node == copy.archive.propertyList.top
        members.removeAll(keepingCapacity: true)
        for index in 0..<keys.count { members.append(self.number(of: table[keys, index])) }
        for index in 0..<values.count {
          let own = isFrame ? copy.framePart(table[keys, index]) : nil
          members.append(self.number(of: own ?? .node(table[values, index])))
        }
        stream.beginDictionary(keys.count, as: number)
        stream.write(references: members)
      case .wideInteger(let offset):
        stream.write(wideInteger: table.wideInteger(at: offset), as: number)
      case let value: stream.write(copy.leaf(value), as: number)
      }
    }

    private mutating func writeList(_ run: Node.Run, isSet: Bool, as number: Int) {
      let table = copy.archive.table
      members.removeAll(keepingCapacity: true)
      for index in 0..<run.count { members.append(self.number(of: table[run, index])) }
      stream.beginList(run.count, isSet: isSet, as: number)
      stream.write(references: members)
    }

    // MARK: Numbers

    /// The number of a key, which dictionaries share.
    private mutating func number(ofKey part: Part) -> Int {
      guard case .leaf(.string(let key)) = part else { return number(of: part) }
      if let known = keyNumbers[key], known.key.utf8.elementsEqual(key.utf8) { return known.number }
      let number = newNumber(of: part)
      keyNumbers[key] = (key, number)
      return number
    }

    private mutating func numbers(of keys: Keys) -> [Int] {
      if let known = keysNumbers[ObjectIdentifier(keys)] { return known.numbers }
      let numbers = keys.texts.map { number(ofKey: $0) }
      keysNumbers[ObjectIdentifier(keys)] = (keys, numbers)
      return numbers
    }

    /// The number of a value, which is written now or later.
    private mutating func number(of part: Part) -> Int {
      switch part {
      case .node(let node): return number(of: node)
      case .leaf(.uid(let uid)): return number(ofReference: Int(uid)) { part }
      case .leaf, .array, .dictionary, .object: return newNumber(of: part)
      }
    }

    private mutating func number(of node: Node) -> Int {
      if let uid = copy.archive.table.uid(of: node) {
        return number(ofReference: uid) { .reference(uid) }
      }
      guard !numbers.isEmpty else {
        guard case .text = copy.archive.table.value(of: node) else {
          return newNumber(of: .node(node))
        }
        if let known = textNumbers[node.index] { return known }
        let number = newNumber(of: .node(node))
        textNumbers[node.index] = number
        return number
      }
      let known = numbers[node.index]
      guard known == 0 else { return Int(known) - 1 }
      let number = newNumber(of: .node(node))
      numbers[node.index] = UInt32(truncatingIfNeeded: number + 1)
      return number
    }

    private mutating func number(ofReference uid: Int, _ part: () -> Part) -> Int {
      if copy.made != nil, uid >= references.count {
        references += repeatElement(0, count: uid + 1 - references.count)
      }
      guard references.indices.contains(uid) else { return newNumber(of: part()) }
      let known = references[uid]
      guard known == 0 else { return Int(known) - 1 }
      let number = newNumber(of: part())
      references[uid] = UInt32(truncatingIfNeeded: number + 1)
      return number
    }

    private mutating func newNumber(of part: Part) -> Int {
      let number = stream.reserve()
      if case .leaf(let value) = part {
        stream.write(value, as: number)
      } else {
        pending.append((part, number))
      }
      return number
    }
  }

  /// A value of the archive that is not a container, and no integer of 16 bytes.
  func leaf(_ value: Node.Value) -> PropertyListValue {
    switch value {
    case .null, .array, .set, .dictionary, .wideInteger: .null
    case .bool(let flag): .bool(flag)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .date(let seconds): .date(seconds)
    case .data(let range): .data(unsafe Data(archive.table.bytes(range)))
    case .uid(let uid): .uid(UInt32(truncatingIfNeeded: uid))
    case .text(let text):
      archive.table.exactString(text).map { .string($0) } ?? .utf16(units(of: text))
    }
  }

  /// The code units of a text in UTF-16, which a string may not be able to hold.
  private func units(of text: Text) -> [UInt16] {
    let bytes = unsafe archive.table.bytes(text.bytes)
    return stride(from: 0, to: bytes.count - 1, by: 2).map { place in
      unsafe UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
    }
  }
}
