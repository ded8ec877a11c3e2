#if compiler(<6.2)
  /// Swift 6.1 has no such protocol, since all metatypes are sendable there.
  public protocol SendableMetatype {}
#endif
