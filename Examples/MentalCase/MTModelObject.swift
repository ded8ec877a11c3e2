import Foundation
import Importer

/// What folders and notes have in common, as in the app.
class MTModelObject: ImportedObject {
  required init(coder: ImportCoder) throws {
    try super.init(coder: coder)
    // What the archive says goes before what awakeFromInsert made up.
    if let uniqueId = try coder.decodeString(forKey: "uniqueId") { self["uniqueId"] = uniqueId }
  }

  override func awakeFromInsert() {
    super.awakeFromInsert()
    self["uniqueId"] = UUID().uuidString
  }

  /// The app's name for the attribute, which in the model is a number object.
  var isEditable: Bool {
    get { self["isEditableNumber"] ?? true }
    set { self["isEditableNumber"] = newValue }
  }

  /// The version of the class that wrote the object; the first did not write any.
  static func version(of coder: ImportCoder) throws -> Int {
    try coder.decodeInteger(forKey: "modelObjectClassVersion")
  }
}
