// The declarations of SwiftData that generated code uses, without any behaviour. Its macros for
// properties are property wrappers here; @Model and #Unique are not checked.
import Foundation

public enum Schema {
  public enum AttributeOption {
    case unique, externalStorage, preserveValueOnDeletion
    case transformable(by: String)
  }

  public enum DeleteRule {
    case noAction, nullify, cascade, deny
  }
}

@propertyWrapper
public struct Attribute<Value> {
  public var wrappedValue: Value {
    get { fatalError() }
    set {}
  }

  public init(
    _ options: Schema.AttributeOption..., originalName: String? = nil, hashModifier: String? = nil
  ) {}

  public init(
    wrappedValue: Value, _ options: Schema.AttributeOption..., originalName: String? = nil,
    hashModifier: String? = nil
  ) {}
}

@propertyWrapper
public struct Relationship<Value> {
  public var wrappedValue: Value {
    get { fatalError() }
    set {}
  }

  public init(
    deleteRule: Schema.DeleteRule = .nullify, minimumModelCount: Int? = 0,
    maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
    hashModifier: String? = nil
  ) {}

  public init(
    wrappedValue: Value, deleteRule: Schema.DeleteRule = .nullify, minimumModelCount: Int? = 0,
    maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
    hashModifier: String? = nil
  ) {}
}

@propertyWrapper
public struct Transient<Value> {
  public var wrappedValue: Value

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
