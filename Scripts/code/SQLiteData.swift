// The declarations of SQLiteData and StructuredQueries that generated code uses, without any
// behaviour. @Column is a property wrapper here, and @Table a conformance that the check adds.
import Foundation

// MARK: Values

public protocol QueryDecoder {}

public enum QueryBinding {
  case blob([UInt8]), double(Double), int(Int64), null, text(String)
}

public protocol QueryDecodable {
  init(decoder: inout some QueryDecoder) throws
}

public protocol QueryRepresentable<QueryOutput>: QueryDecodable {
  associatedtype QueryOutput
  init(queryOutput: QueryOutput)
  var queryOutput: QueryOutput { get }
}

public protocol QueryExpression<QueryValue> {
  associatedtype QueryValue
}

public protocol QueryBindable: QueryRepresentable, QueryExpression where QueryValue: QueryBindable {
  associatedtype QueryValue = Self
  var queryBinding: QueryBinding { get }
  init?(queryBinding: QueryBinding)
}

extension QueryRepresentable where QueryOutput == Self {
  public init(queryOutput: Self) { self = queryOutput }
  public var queryOutput: Self { self }
}

extension QueryBindable {
  public var queryBinding: QueryBinding { .null }
  public init?(queryBinding: QueryBinding) { nil }
}

extension QueryDecodable {
  public init(decoder: inout some QueryDecoder) throws { fatalError() }
}

extension Bool: QueryBindable {}
extension Int64: QueryBindable {}
extension Double: QueryBindable {}
extension String: QueryBindable {}
extension Data: QueryBindable {}
extension URL: QueryBindable {}

extension UUID {
  public struct UppercasedRepresentation: QueryBindable {
    public var queryOutput: UUID
    public init(queryOutput: UUID) { self.queryOutput = queryOutput }
  }
}

extension Optional: QueryDecodable, QueryRepresentable where Wrapped: QueryRepresentable {
  public init(queryOutput: Wrapped.QueryOutput?) {
    self = queryOutput.map(Wrapped.init(queryOutput:))
  }
  public var queryOutput: Wrapped.QueryOutput? { self?.queryOutput }
}

extension Optional: QueryExpression where Wrapped: QueryExpression {
  public typealias QueryValue = Wrapped.QueryValue?
}

public enum GeneratedColumnStorage {
  case virtual, stored
}

@propertyWrapper
public struct Column<Value> {
  public var wrappedValue: Value {
    get { fatalError() }
    set {}
  }

  public init(
    _ name: String = "", generated: GeneratedColumnStorage? = nil, primaryKey: Bool = false
  ) where Value: QueryRepresentable<Value> {}

  public init(_ name: String = "", as: (some QueryRepresentable<Value>).Type) {}
}

extension Column: Equatable where Value: Equatable {
  public static func == (one: Self, other: Self) -> Bool { fatalError() }
}

extension Column: Sendable where Value: Sendable {}

extension Column: Hashable where Value: Hashable {
  public func hash(into hasher: inout Hasher) {}
}

// MARK: Queries

public protocol Table {}

@dynamicMemberLookup
public struct TableColumns<From: Table>: QueryExpression {
  public typealias QueryValue = From

  public subscript<Value>(dynamicMember member: KeyPath<From, Value>) -> Expression<Value> {
    Expression()
  }
}

public struct Expression<QueryValue>: QueryExpression {}

extension QueryExpression {
  public func eq(_ other: some QueryExpression<QueryValue>) -> Expression<Bool> { Expression() }

  public func eq<Wrapped>(_ other: some QueryExpression<Wrapped>) -> Expression<Bool>
  where QueryValue == Wrapped? {
    Expression()
  }

  public func `is`(_ other: some QueryExpression<QueryValue?>) -> Expression<Bool> { Expression() }
}

public protocol Statement<QueryValue> {
  associatedtype QueryValue
}

public protocol SelectStatement<QueryValue, From, Joins>: Statement {
  associatedtype From
  associatedtype Joins
}

public typealias SelectStatementOf<From> = SelectStatement<(), From, ()>

public struct Where<From: Table>: SelectStatement {
  public typealias QueryValue = ()
  public typealias Joins = ()

  public func order(_ columns: (TableColumns<From>) -> some QueryExpression) -> Select<(), From, ()>
  {
    Select()
  }
}

public struct Select<QueryValue, From: Table, Joins>: SelectStatement {}

extension Select where Joins: Table {
  public func `where`(
    _ predicate: (TableColumns<From>, TableColumns<Joins>) -> some QueryExpression<Bool>
  ) -> Self {
    self
  }

  public func order(
    _ columns: (TableColumns<From>, TableColumns<Joins>) -> some QueryExpression
  ) -> Self {
    self
  }

  public func select<Value>(
    _ selection: (TableColumns<From>, TableColumns<Joins>) -> some QueryExpression<Value>
  ) -> Select<Value, From, Joins> where QueryValue == () {
    Select<Value, From, Joins>()
  }
}

extension Table {
  public static var all: Where<Self> { Where() }

  public static func `where`(
    _ predicate: (TableColumns<Self>) -> some QueryExpression<Bool>
  ) -> Where<Self> {
    Where()
  }

  public static func join<Other: Table>(
    _ other: some SelectStatement<(), Other, ()>,
    on constraint: (TableColumns<Self>, TableColumns<Other>) -> some QueryExpression<Bool>
  ) -> Select<(), Self, Other> {
    Select()
  }
}
