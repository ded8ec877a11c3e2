// swift-tools-version: 6.1

import PackageDescription

// What `make bench` runs; see Documentation/performance.md. A package of its own, so that whoever
// uses the converter builds none of it.
let converter = "ArchiveConverter"
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: converter, path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
  ],
  targets: [
    // The archives, and the rows that they hold.
    .executableTarget(
      name: "make-notes",
      dependencies: [
        .product(name: "ArchiveWriter", package: converter),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // Physical limits, in C: of writing rows, of reading a binary property list, of parsing XML.
    .systemLibrary(name: "BenchmarkSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "BenchmarkLibXML2", pkgConfig: "libxml-2.0"),
    .executableTarget(name: "insert-rows", dependencies: ["BenchmarkSQLite"]),
    .executableTarget(name: "visit-objects"),
    .executableTarget(name: "parse-xml", dependencies: ["BenchmarkLibXML2"]),

    // Peers and programs of one's own.
    .executableTarget(name: "foundation-converter", dependencies: ["BenchmarkSQLite"]),
    .executableTarget(
      name: "notes-converter",
      dependencies: [
        .product(name: "ConvertCommand", package: converter),
        .product(name: "Importer", package: converter),
      ]),
    .executableTarget(
      name: "read-notes", dependencies: [.product(name: "ArchiveReader", package: converter)]),

    .executableTarget(
      name: "benchmark",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
  ],
  swiftLanguageModes: [.v6]
)
