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
    /// The numbers of references, less one, by their UIDs.
    private var references: [UInt32]
    /// The number of the first object.
    private var firstObject: Int?
    private var pending: [(part: Part, number: Int)] = []
    private let maxValues: Int

    init(_ copy: ArchiveCopy, maxObjects: Int, _ flush: @escaping ([UInt8]) throws -> Void) {
      self.copy = copy
      self.flush = flush
      stream = BinaryPropertyListStream(maxObjects: maxObjects)
      let isBinary = copy.archive.propertyList.format == .binary
      numbers = isBinary ? Array(repeating: 0, count: copy.archive.table.count) : []
      maxValues = copy.maxValues
      references = Array(repeating: 0, count: copy.totalCount)
    }

    /// Writes the archive; returns the number of values.
    mutating func write() throws -> Int {
      let top = stream.reserve()
      pending.append((.node(copy.archive.propertyList.top), top))
      try writePending()
      if let firstObject {
        for uid in 0..<copy.objectCount {
          pending.append((copy[uid], firstObject + uid))
          try writePending()
        }
        var number = firstObject + copy.objectCount
        try copy.made?.make { part in
          pending.append((part, number))
          number += 1
          try writePending()
        }
      }
      try stream.finish(top: top) { stream in try flush(stream.takeBytes()) }
      return stream.count
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
        let keys = entries.map { self.number(ofKey: $0.key) }
        let values = entries.map { self.number(of: $0.value) }
        stream.beginDictionary(entries.count, as: number)
        for number in keys + values { stream.write(reference: number) }
      }
    }

    private mutating func writeList(_ elements: [Part], as number: Int) {
      let numbers = elements.map { self.number(of: $0) }
      stream.beginList(numbers.count, isSet: false, as: number)
      for number in numbers { stream.write(reference: number) }
    }

    private mutating func write(_ node: Node, as number: Int) throws {
      let table = copy.archive.table
      switch table.value(of: node) {
      case .array(let run) where run == copy.archive.objects && run.count > 0:
        try writeObjects(as: number)
      case .array(let run): writeList(run, isSet: false, as: number)
      case .set(let run): writeList(run, isSet: true, as: number)
      case .dictionary(let keys, let values):
        let isFrame = node == copy.archive.propertyList.top
        let keyNumbers = (0..<keys.count).map { self.number(of: table[keys, $0]) }
        let valueNumbers = (0..<values.count).map { index in
          let own = isFrame ? copy.framePart(table[keys, index]) : nil
          return self.number(of: own ?? .node(table[values, index]))
        }
        stream.beginDictionary(keys.count, as: number)
        for number in keyNumbers + valueNumbers { stream.write(reference: number) }
      case .wideInteger(let offset):
        stream.write(wideInteger: table.wideInteger(at: offset), as: number)
      case let value: stream.write(copy.leaf(value), as: number)
      }
    }

    private mutating func writeList(_ run: Node.Run, isSet: Bool, as number: Int) {
      let table = copy.archive.table
      let numbers = (0..<run.count).map { self.number(of: table[run, $0]) }
      stream.beginList(run.count, isSet: isSet, as: number)
      for number in numbers { stream.write(reference: number) }
    }

    private mutating func writeObjects(as number: Int) throws {
      let count = copy.totalCount
      let first = firstObject ?? stream.reserve(count)
      firstObject = first
      stream.beginList(count, isSet: false, as: number)
      for uid in 0..<count {
        stream.write(reference: first + uid)
        try flushIfDue()
      }
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

    /// The number of a value, which is written later.
    private mutating func number(of part: Part) -> Int {
      switch part {
      case .node(let node): return number(of: node)
      case .leaf(.uid(let uid)): return number(ofReference: Int(uid)) { part }
      case .leaf, .array, .dictionary: return newNumber(of: part)
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
      guard references.indices.contains(uid) else { return newNumber(of: part()) }
      let known = references[uid]
      guard known == 0 else { return Int(known) - 1 }
      let number = newNumber(of: part())
      references[uid] = UInt32(truncatingIfNeeded: number + 1)
      return number
    }

    private mutating func newNumber(of part: Part) -> Int {
      let number = stream.reserve()
      pending.append((part, number))
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
