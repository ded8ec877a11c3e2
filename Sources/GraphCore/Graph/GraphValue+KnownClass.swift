extension GraphValue {
  /// The class of Foundation that the value is of; nil for nil, classes and objects, and for values
  /// that more than one class has, which their class record tells.
  package var knownClass: KnownClass? {
    switch self {
    case .null, .className, .object, .foundation: nil
    case .bool, .integer, .wideInteger, .real: .number
    case .date: .date
    case .text: .string
    case .data: .data
    case .uuid: .uuid
    case .decimal: .decimal
    case .url, .relativeURL: .url
    case .nsNull: .null
    case .collection(_, .array): .array
    case .collection(_, .set): .set
    case .collection(_, .orderedSet): .orderedSet
    case .collection(_, .countedSet): .countedSet
    case .collection(_, .dictionary): .dictionary
    }
  }
}
