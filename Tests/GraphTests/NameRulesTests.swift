import GraphCore
import Testing

@Suite("Plain names")
struct NameRulesTests {
  @Test(
    "have a class without its module and its prefix, in letters, digits and single underscores",
    arguments: [
      ("Note", "Note"), ("MTNote", "Note"), ("NSMenuItem", "MenuItem"),
      ("_NSCornerView", "CornerView"),
      ("XCActivityRecord", "ActivityRecord"), ("DVTFilePath", "FilePath"),
      ("XDPMEntity", "XDPMEntity"),
      ("ARecord", "ARecord"), ("MT", "MT"), ("MTa", "MTa"), ("UUIDs", "UUIDs"),
      ("URLCache", "URLCache"), ("PDF", "PDF"), ("NSURLRequest", "URLRequest"), ("MTPDF", "PDF"),
      ("XMLHTTPRequest", "XMLHTTPRequest"), ("IDEActivityLog", "ActivityLog"),
      ("JSONObject", "JSONObject"),
      ("XRRunListData__1_value_target", "RunListData_1_value_target"), ("MTNote_tags", "Note_tags"),
      ("Garden.MTPlant", "Plant"), ("_TtCC6Garden5Plant4Leaf", "Plant_Leaf"),
      ("_TtGC6Garden3BoxSi_", "Box_Swift_Int"), ("MT3DModel", "MT3DModel"),
      ("3DModel", "n_3DModel"),
      ("-[odd] name!", "odd_name"), ("sqlite_note", "n_sqlite_note"), ("ΑΒΓδ", "Γδ"),
      ("ключ", "ключ"),
      ("***", "unnamed"), ("", "unnamed"),
    ])
  func classes(className: String, name: String) {
    #expect(NameRules(isPlain: true).entity(className) == name)
  }

  @Test(
    "have a key of MTNote without the prefixes of Foundation, UIKit and its class",
    arguments: [
      ("title", "title"), ("NS.objects", "objects"), ("NSFrame", "Frame"), ("NSURL", "URL"),
      ("UITag", "Tag"), ("UID", "UID"), ("NSnext", "NSnext"), ("MTTitle", "Title"),
      ("XYTitle", "XYTitle"),
      ("_title", "title"), ("__title_", "title"), ("m_title", "title"), ("_m_title", "title"),
      ("m.title", "m_title"), ("com.app-x.key", "com_app_x_key"), ("$$own", "own"), ("$0", "n_0"),
      ("order by", "order_by"), ("a\"b", "a_b"), ("NS.0", "n_0"), ("sqlite_x", "n_sqlite_x"),
      ("id", "id"), ("_id", "id"), ("", "unnamed"), ("_", "unnamed"), ("\0", "unnamed"),
    ])
  func keys(key: String, name: String) {
    #expect(NameRules(isPlain: true).property(key, of: "MTNote") == name)
  }

  @Test("have the prefix that was asked for as that of the class")
  func prefix() {
    let rules = NameRules(stripPrefix: "App", isPlain: true)
    #expect(rules.entity("AppMTNote") == "MTNote")
    #expect(rules.property("AppTitle", of: "AppMTNote") == "title")
    #expect(rules.property("MTTitle", of: "AppMTNote") == "MTTitle")
    #expect(rules.entity("MTNote") == "Note")
  }

  @Test("are not for what nobody asks them for")
  func unasked() {
    #expect(NameRules().entity("Garden.MTNote") == "MTNote")
    #expect(NameRules().property("$$NS.own", of: "MTNote") == "$NS.own")
    let rules = NameRules(stripPrefix: "MT", isPlain: true).ofModels
    #expect(rules.entity("MTNote") == "Note")
    #expect(rules.property("MTTitle", of: "MTNote") == "MTTitle")
  }

  @Test(
    "have a key without the prefix that was asked for, in either case",
    arguments: [
      ("RBOwner", "owner"), ("rbTags", "tags"), ("RBURL", "URL"), ("RBX", "x"), ("RB", "RB"),
      ("rbow", "rbow"), ("RB_owner", "RB_owner"), ("title", "title"), ("XRBOwner", "XRBOwner"),
    ])
  func prefixOfKeys(key: String, name: String) {
    #expect(NameRules(stripPrefix: "RB").property(key, of: "RBRecipe") == name)
    #expect(NameRules(stripPrefix: "RB").foldedKey(key) == name.lowercased())
    #expect(NameRules(stripPrefix: "").property(key, of: "RBRecipe") == key)
  }
}
