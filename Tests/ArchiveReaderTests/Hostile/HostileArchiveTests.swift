import ArchiveReader
import ArchiveWriter
import Foundation
import TestSupport
import Testing

@Suite("Hostile archives")
struct HostileArchiveTests {
  private static func errors(
    _ makeRoot: (inout KeyedArchiveBuilder) -> PropertyListValue
  ) -> [ArchiveError] {
    ArchiveWalk(KeyedArchiveBuilder.archive(makeRoot).binary()).errors
  }

  @Test("whose class records lead to each other are refused")
  func refusesLoopsOfClassRecords() {
    // Each is the class of the other; neither has a name.
    let errors = Self.errors { archive in
      let (one, other) = (archive.reserve(), archive.reserve())
      archive.fill(one, with: ["$class": other.reference])
      archive.fill(other, with: ["$class": one.reference])
      return one.reference
    }
    #expect(errors.first == ArchiveError(.noClassName, at: .object(2, key: "$classname")))
  }

  @Test("whose class hierarchies lead to class records are refused")
  func refusesLoopsInHierarchies() {
    let errors = Self.errors { archive in
      let record = archive.reserve()
      archive.fill(record, with: ["$classname": "Torn", "$classes": [record.reference]])
      return archive.add(["$class": record.reference])
    }
    #expect(errors.first == ArchiveError(.badClassHierarchy, at: .object(1, key: "$classes")))
  }

  @Test("whose values are references in a circle are refused at the limit")
  func refusesLoopsOfValues() {
    for length in [1, 2, 3, 63, 64, 65] {
      let errors = Self.errors { archive in
        let slots = (0..<length).map { _ in archive.reserve() }
        for (place, slot) in slots.enumerated() {
          archive.fill(slot, with: slots[(place + 1) % length].reference)
        }
        return slots[0].reference
      }
      #expect(!errors.isEmpty)
      #expect(errors.allSatisfy { $0.limit == .chain })
    }
  }

  @Test("whose URLs are their own bases are read as objects")
  func readsLoopsOfURLs() {
    let errors = Self.errors { archive in
      let (one, other) = (archive.reserve(), archive.reserve())
      for (slot, base) in [(one, other), (other, one)] {
        archive.fill(
          slot, className: "NSURL",
          [KeyValue("NS.base", base.reference), KeyValue("NS.relative", archive.string("a"))])
      }
      return archive.array([one.reference, other.reference])
    }
    #expect(errors == [])
  }

  @Test(
    "with UIDs beyond the last object name the reference", arguments: [7, 65_536, .max] as [UInt32])
  func refusesLargeUIDs(uid: UInt32) {
    let errors = Self.errors { $0.instance(of: "Torn", ["other": .uid(uid)]) }
    #expect(!errors.isEmpty)
    #expect(errors.allSatisfy { $0.code == .danglingReference && $0.name == "\(uid)" })
  }

  @Test("with a key twice in an object name the key")
  func refusesKeysTwice() {
    let errors = Self.errors { archive in
      let record = archive.classRecord("Torn")
      let slot = archive.reserve()
      archive.fill(
        slot,
        with: .dictionary([KeyValue("a", 1), KeyValue("a", 2), KeyValue("$class", record)]))
      return slot.reference
    }
    #expect(errors.first == ArchiveError(.repeatedKey, at: .object(2, key: "a")))
  }

  @Test("with collections of different lengths for keys and values are read as objects")
  func readsTornDictionaries() {
    let errors = Self.errors { archive in
      archive.instance(
        of: "NSDictionary", ["NS.keys": ["a", "b"], "NS.objects": [1]])
    }
    #expect(errors == [])
  }

  @Test("whose collections are numbered with gaps and large numbers are read in passing")
  func readsTornNumbers() {
    let errors = Self.errors { archive in
      archive.instance(
        of: "NSArray",
        [
          "NS.object.0": 1, "NS.object.2": 2, "NS.object.18446744073709551616": 3,
          "NS.object.-1": 4, "NS.object.": 5,
        ])
    }
    #expect(errors == [])
  }

  @Test("that are cut at any byte are refused")
  func refusesEveryTruncation() throws {
    let archive = try MutationTests.sample().binary()
    for length in 0..<archive.count {
      #expect(!ArchiveWalk(archive[..<length]).errors.isEmpty, "\(length) bytes")
    }
  }
}
