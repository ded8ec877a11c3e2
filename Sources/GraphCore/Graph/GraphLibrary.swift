import Synchronization

/// The data that the graphs of a run share, such as names that most of its sources have.
///
/// Each kind of source keeps an object of its own type here.
package final class GraphLibrary: Sendable {
  private let shared = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  package init() {}

  /// The object of a type, which is made if there is none yet.
  package func object<Shared: AnyObject & Sendable>(
    of type: Shared.Type = Shared.self, _ make: () -> Shared
  ) -> Shared {
    shared.withLock { objects in
      if let known = objects[ObjectIdentifier(type)] as? Shared { return known }
      let made = make()
      objects[ObjectIdentifier(type)] = made
      return made
    }
  }
}
