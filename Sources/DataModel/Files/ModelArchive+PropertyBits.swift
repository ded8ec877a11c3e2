extension ModelArchive {
  /// The bits by which compiled models describe a property.
  package enum PropertyBits {
    /// The bits of `_P`, which any property has.
    package enum Common {
      package static let optional: Int64 = 2
      package static let transient: Int64 = 8
      package static let withoutHashModifier: Int64 = 128
      package static let ordered: Int64 = 1024
      /// The bits that are set in all properties of real models.
      package static let always: Int64 = 1
      /// The bits that are set in all properties of real models, none of which has a user info or
      /// rules.
      ///
      /// What each of them means is not known: a property with a user info is written with none.
      package static let withoutUserInfo: Int64 = 16 | 32 | 64
    }

    /// The bits of `NSFlagsKey`, which attributes have.
    package enum Attribute {
      package static let externalStorage: Int64 = 4
      package static let preservedAfterDeletion: Int64 = 16
    }
  }
}
