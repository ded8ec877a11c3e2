import GraphCore

/// A source whose objects are those of a Core Data model, as those of a Core Data store are.
///
/// Its classes are the entities, by their names, with the superentities as superclasses; the keys
/// of an object are the stored attributes and relationships of its entity, inherited ones included,
/// each of which every object has. A to-many relationship is a collection (a set, or an ordered set
/// where the model says so), empty where nothing is related.
package protocol ModelledSource: GraphSource {
  /// The model that it is read by.
  var modelSource: ModelSource { get }
  /// True if values of attributes may be objects and collections, which no model describes.
  var holdsObjectsInValues: Bool { get }
}

extension ModelledSource {
  package var holdsObjectsInValues: Bool { false }
}
