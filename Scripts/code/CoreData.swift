// The declarations of Core Data that generated code uses, without any behaviour.
import Foundation

open class NSManagedObject: NSObject {}

public final class NSManagedObjectID: NSObject {}

public final class NSFetchRequest<Row>: NSObject {
  public init(entityName: String) {}
}
