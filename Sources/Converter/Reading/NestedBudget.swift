import ArchiveReader
import Importer

extension ArchiveSurveyor {
  /// The budget for the archives inside of a file, all together: a small file must not make a large
  /// store by holding many of them.
  struct NestedBudget {
    private let limits: ReadingLimits
    private var archives: Int
    private var bytes: Int
    /// The profile of the archives of the file so far.
    private var profile: SchemaProfile
    private var collectionKeys: Int

    /// A budget for a file with a profile of its own.
    init(_ file: any GraphSource, _ profile: SchemaProfile, _ limits: ReadingLimits) {
      self.limits = limits
      self.profile = profile
      collectionKeys = SchemaProfile().news(in: profile).collectionKeys
      archives = limits.nestedArchives
      bytes = ExpansionBudget.product(file.byteCount, limits.expansion)
    }

    /// The number of archives that may still be looked for.
    var archivesLeft: Int { archives }

    /// Spends on an archive that is about to be opened.
    ///
    /// - Throws: `ArchiveError` if that is too much.
    mutating func spend(on nesting: InputFinder.Nesting) throws(ArchiveError) {
      archives -= 1
      guard archives >= 0 else {
        throw limits.exceeded(.nestedArchives)
      }
      guard nesting.depth <= limits.nesting else {
        throw limits.exceeded(.nesting)
      }
      bytes -= nesting.data.last?.byteCount ?? 0
      guard bytes >= 0 else {
        throw limits.exceeded(.expansion)
      }
    }

    /// Spends on the tables that an archive's classes ask for beside those of the others.
    ///
    /// - Throws: `ArchiveError` if that is too much.
    mutating func spend(on own: SchemaProfile) throws(ArchiveError) {
      let news = profile.news(in: own)
      guard profile.classes.count + news.classes <= limits.classes else {
        throw limits.exceeded(.classes)
      }
      guard collectionKeys + news.collectionKeys <= limits.collectionKeys else {
        throw limits.exceeded(.collectionKeys)
      }
      collectionKeys += news.collectionKeys
      profile.merge(own)
    }
  }
}

extension SchemaProfile {
  /// The numbers of classes and of keys with collections that only the other profile has.
  fileprivate func news(in other: SchemaProfile) -> (classes: Int, collectionKeys: Int) {
    var news = (classes: 0, collectionKeys: 0)
    for found in other.classes {
      let known = knownIndex(of: found.name).map { classes[$0] }
      if known == nil { news.classes += 1 }
      for property in found.properties where !property.elements.collectionKinds.isEmpty {
        let index = known?.knownIndex(of: property.key)
        let isKnown =
          index.map { known?.properties[$0].elements.collectionKinds.isEmpty == false } ?? false
        if !isKnown { news.collectionKeys += 1 }
      }
    }
    return news
  }
}
