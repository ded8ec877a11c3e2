import CoreDataStores
import Foundation
import Support
import Testing

@Suite("Kinds of Core Data stores")
struct CoreDataFileKindTests {
  @Test(
    "are told by the first bytes",
    arguments: [
      ("SQLite format 3\0rest", .sqlite), ("SQLite format 2\0", nil),
      ("CoreData\0\0\0\u{1}", .binary), ("CoreDat", nil), ("", nil),
      ("<?xml version=\"1.0\"?><database><object type=\"TAG\"/></database>", .xml),
      ("\u{FEFF}<?xml version='1.0'?>\n<database/>", .xml),
      ("<?xml version='1.0'?><database>", .xml),
      ("<!-- <plist> --><database >", .xml),
      ("<?xml?><!DOCTYPE database SYSTEM \"a>b\"><database>", .xml),
      ("<?xml?><!DOCTYPE database [<!ELEMENT a (b)>]> <!-- > --><database>", .xml),
      ("<?xml?><?pi <database> ?><plist>", nil), ("<?xml version='1.0'?><databases>", nil),
      ("<?xml version='1.0'?><html><database>", nil), ("<?xml version='1.0'?>", nil),
      ("<!-- <database>", nil), ("bplist00", nil),
      ("<?xml?><database><object type=\"XDDEVMAPPINGMODEL\">", nil),
      ("<?xml?><database><databaseInfo><key>XDDevAttributeMapping</key>", nil),
    ] as [(String, CoreDataFileKind?)])
  func kinds(text: String, kind: CoreDataFileKind?) {
    #expect(CoreDataFileKind(FileHead(Data(text.utf8))) == kind)
  }
}
