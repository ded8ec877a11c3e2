import ArchiveReader
import Foundation
import Importer
import Stores
import Support

/// One of the parts, in their order, into which the archives of a run are divided.
public struct Shard: Hashable, Codable, Sendable {
  /// Its number, from 1.
  public var number: Int
  /// The number of all shards.
  public var count: Int

  /// The greatest number of shards.
  public static let maxCount = 1_000_000

  /// Reads a shard as `3/64`; nil if it is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1],
      (1...Self.maxCount).contains(count), (1...count).contains(number)
    else { return nil }
    (self.number, self.count) = (number, count)
  }
}

/// The request of a run, as every shard has to know it.
struct ShardRequest: Codable, Equatable {
  /// The options, as `_run` keeps them.
  var options: String
  var mapping: String?
  var modelDigest: String?
}

/// The findings in the archives of a shard.
struct ShardProfile: Codable {
  var version = ConverterVersion.current
  var shard: Shard
  var request: ShardRequest
  /// The digest of what the findings depend on: the rules for records and lists, and the copies of
  /// archives in shards before that were left out.
  var basis: String
  /// The digest of the paths and the contents of its files.
  var inputs: String
  var positions: PositionEvidence
  var profile: SchemaProfile
}

/// The plan of a run over all shards.
struct ShardPlan: Codable {
  var version = ConverterVersion.current
  /// The request, with the rules for records and lists that all archives lead to.
  var request: ShardRequest
  /// The number of shards.
  var count: Int
  /// The shards whose profiles were not taken by these rules, or not without copies.
  var stale: [Int]
  /// The findings in all archives.
  var profile: SchemaProfile
  /// The time that all archives are converted at, in seconds since 1970.
  var time: Int64

  /// A digest: the same wherever the plan, the files and the copies among them are.
  func digest(_ inputs: [String], copies: String) -> String {
    let request = [request.options, request.mapping ?? "", request.modelDigest ?? ""]
    let numbers = ["\(count)", "\(stale)", "\(time)"]
    return MessageDigest.sha256(
      ofTexts: [version] + request + numbers + [SchemaFingerprint(profile).digest] + inputs
        + [copies])
  }
}

/// A file in which profiles of shards and the plan of a run travel: an SQLite database.
struct ShardFile {
  private let path: String
  private let database: Database

  private static let creation = """
    CREATE TABLE profile (shard INTEGER PRIMARY KEY NOT NULL, content TEXT NOT NULL) STRICT;
    CREATE TABLE input (
      shard INTEGER NOT NULL, number INTEGER NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,
      PRIMARY KEY (shard, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE plan (content TEXT NOT NULL, sha256 TEXT NOT NULL) STRICT;
    CREATE TABLE part (shard INTEGER PRIMARY KEY NOT NULL, inputs TEXT NOT NULL) STRICT;
    CREATE TABLE copy (
      shard INTEGER NOT NULL, sha256 TEXT NOT NULL, path TEXT NOT NULL,
      PRIMARY KEY (shard, sha256)
    ) STRICT, WITHOUT ROWID;
    """

  /// Opens a file for reading.
  ///
  /// - Throws: `ConversionError` if it is none.
  init(reading path: String) throws(ConversionError) {
    self.path = path
    do throws(StoreError) {
      database = try Database(reading: path)
      guard try database.has(tables: "profile", "input", "plan", "part", "copy") else {
        throw StoreError(.unreadable, path: path, reason: "it has no profiles of shards")
      }
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
  }

  private init(writing file: StoreFile, _ path: String) throws(StoreError) {
    (self.path, database) = (path, try Database(path: file.path))
    try database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")
    try database.execute(Self.creation)
  }

  /// Writes a file, which is there when it is whole.
  static func write(
    to path: String, replacing: Bool, _ body: (ShardFile) throws -> Void
  ) throws(ConversionError) {
    do {
      if !replacing, FileIdentity(path: path) != nil { throw StoreError(.exists, path: path) }
      let file = try StoreFile(destination: path)
      let output = try ShardFile(writing: file, path)
      try body(output)
      try output.database.execute("COMMIT;")
      _ = try file.publish(replacing: replacing)
    } catch let error as ConversionError {
      throw error
    } catch let error as StoreError {
      throw .store(
        error.code == .database ? StoreError(.file, path: path, reason: error.reason) : error)
    } catch {
      throw .unwritable(path: path, reason: "\(error)")
    }
  }

  // MARK: Profiles

  /// Adds the profile of a shard, and of its archives the paths and digests.
  func add(_ profile: ShardProfile, _ inputs: [(path: String, sha256: String)]) throws {
    _ = try database.rows(
      "INSERT INTO profile VALUES (?, ?)",
      [.integer(Int64(profile.shard.number)), .text(try Self.text(of: profile))])
    let statement = try database.prepare("INSERT INTO input VALUES (?, ?, ?, ?)")
    for (number, input) in inputs.enumerated() {
      _ = try statement.rows([
        .integer(Int64(profile.shard.number)), .integer(Int64(number)),
        .text(input.path), .text(input.sha256),
      ])
    }
  }

  /// Adds all profiles of another file.
  func add(profilesOf path: String) throws {
    let other = try ShardFile(reading: path)
    try database.execute("COMMIT;")
    try database.attach(path, as: "other")
    try database.execute("BEGIN;")
    let twice = try database.rows(
      "SELECT min(shard) FROM main.profile WHERE shard IN (SELECT shard FROM other.profile)")
    if case .integer(let shard) = twice.first?.first {
      throw ConversionError.unreadable(
        path: path, reason: "shard \(shard) has a profile in another file, too")
    }
    try database.execute(
      """
      INSERT INTO main.profile SELECT shard, content FROM other.profile;
      INSERT INTO main.input SELECT shard, number, path, sha256 FROM other.input;
      COMMIT; DETACH other; BEGIN;
      """)
    withExtendedLifetime(other) {}
  }

  /// The profiles, in the order of the shards.
  func profiles() throws -> [ShardProfile] {
    try database.rows("SELECT content FROM profile ORDER BY shard").map(profile(in:))
  }

  // MARK: The plan

  /// Notes of each archive whose bytes an archive of a shard before has the path of the first.
  func findCopies(in source: String) throws {
    try database.execute("COMMIT;")
    try database.attach(source, as: "other")
    try database.execute(
      """
      BEGIN;
      INSERT INTO copy SELECT DISTINCT input.shard, input.sha256, first.path
        FROM other.input AS input JOIN (
          SELECT sha256, path, shard,
            row_number() OVER (PARTITION BY sha256 ORDER BY shard, number) AS place
            FROM other.input
        ) AS first ON first.sha256 = input.sha256 AND first.place = 1
        WHERE input.shard > first.shard;
      COMMIT; DETACH other; BEGIN;
      """)
  }

  /// The paths of the first archives with the bytes of some of a shard, by their digests.
  func copies(inShard number: Int) throws -> [String: String] {
    let rows = try database.rows(
      "SELECT sha256, path FROM copy WHERE shard = ?", [.integer(Int64(number))])
    var copies: [String: String] = [:]
    for row in rows {
      if case .text(let digest) = row[0], case .text(let path) = row[1] {
        copies[digest] = path
      }
    }
    return copies
  }

  /// Adds the plan, and for each shard the digest of its files.
  func add(_ plan: ShardPlan, _ inputs: [String]) throws -> String {
    let text = try Self.text(of: plan)
    let digest = plan.digest(inputs, copies: try digestOfCopies())
    _ = try database.rows("INSERT INTO plan VALUES (?, ?)", [.text(text), .text(digest)])
    let statement = try database.prepare("INSERT INTO part VALUES (?, ?)")
    for (index, inputs) in inputs.enumerated() {
      _ = try statement.rows([.integer(Int64(index + 1)), .text(inputs)])
    }
    return digest
  }

  /// A digest of all copies, of which there may be millions.
  private func digestOfCopies() throws -> String {
    var digest = MessageDigest.sha256()
    let copies = try database.prepare("SELECT shard, sha256, path FROM copy ORDER BY shard, sha256")
    try copies.begin([])
    defer { copies.end() }
    while try copies.step() { digest.update("\(try copies.copies())") }
    return digest.finish().hexadecimal
  }

  /// The plan, its text and its digest.
  func plan() throws -> (plan: ShardPlan, text: String, sha256: String) {
    let rows = try database.rows("SELECT content, sha256 FROM plan")
    guard case .text(let text)? = rows.first?.first, case .text(let digest)? = rows.first?.last
    else { throw ConversionError.unreadable(path: path, reason: "it has no plan") }
    return (try Self.plan(text, path), text, digest)
  }

  /// The plan in a text.
  static func plan(_ text: String, _ path: String) throws -> ShardPlan {
    let plan: ShardPlan
    do {
      plan = try JSONDecoder().decode(ShardPlan.self, from: Data(text.utf8))
    } catch {
      throw ConversionError.unreadable(
        path: path, reason: "its plan is damaged, or from another version")
    }
    try check(plan.version, path)
    return plan
  }

  /// The digest of the files of a shard.
  func inputs(ofShard number: Int) throws -> String {
    let rows = try database.rows(
      "SELECT inputs FROM part WHERE shard = ?", [.integer(Int64(number))])
    guard case .text(let inputs)? = rows.first?.first else {
      throw ConversionError.unreadable(path: path, reason: "it has no shard \(number)")
    }
    return inputs
  }

  private func profile(in row: [StoredValue]) throws -> ShardProfile {
    guard case .text(let text) = row[0],
      let profile = try? JSONDecoder().decode(ShardProfile.self, from: Data(text.utf8))
    else {
      throw ConversionError.unreadable(
        path: path, reason: "a profile is damaged, or from another version")
    }
    try Self.check(profile.version, path)
    return profile
  }

  private static func check(_ version: String, _ path: String) throws(ConversionError) {
    guard version == ConverterVersion.current else {
      throw .unreadable(path: path, reason: "it was made by version \(version) of the program")
    }
  }

  private static func text(of value: some Encodable) throws -> String {
    String(decoding: try JSONDocument.lineEncoder.encode(value), as: UTF8.self)
  }
}
