/// A reference to an object that is decoded after the one that refers to it.
///
/// So cycles and long lists cost no stack.
public final class ObjectReference<Object> {
  /// The object; nil until the unarchiver has decoded it.
  public internal(set) var object: Object?

  init() {}
}
