// swift-tools-version: 6.2

import PackageDescription

// In these modules, the compiler asks for a mark at each operation that it cannot check.
let checked: [SwiftSetting] = [.strictMemorySafety()]

let package = Package(
  name: "ArchiveConverter",
  products: [
    .executable(name: "archive-convert", targets: ["convert"]),
    // The same program by its short name, for those that build it under that.
    .executable(name: "convert", targets: ["convert"]),
    .library(name: "ArchiveReader", targets: ["ArchiveReader"]),
    .library(name: "ArchiveWriter", targets: ["ArchiveWriter"]),
    .library(name: "Importer", targets: ["Importer"]),
    .library(name: "Converter", targets: ["Converter"]),
    .library(name: "ConvertCommand", targets: ["ConvertCommand"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
  ],
  targets: [
    // The C libraries. Swift sees only the opaque headers of CXML and CSQLite: libxml2's own
    // headers pull in ICU's, which clash with the ones that Foundation brings along.
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "CInputs"),
    .target(name: "CXML", dependencies: ["CLibXML2"]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CDeflate", linkerSettings: [.linkedLibrary("z")]),
    .target(
      name: "CDigest",
      linkerSettings: [.linkedLibrary("crypto", .when(platforms: [.linux]))]),
    .target(name: "CFiles"),

    // The way of the data, from bytes to store.
    .target(name: "GraphCore", swiftSettings: checked),
    .target(
      name: "Support", dependencies: ["GraphCore", "CDeflate", "CDigest", "CFiles", "CInputs"],
      swiftSettings: checked),
    .target(
      name: "ArchiveReader",
      dependencies: ["ArchiveWriter", "CXML", "GraphCore", "Support"],
      swiftSettings: checked),
    .target(
      name: "DataModel", dependencies: ["ArchiveReader", "GraphCore", "Support"],
      swiftSettings: checked),
    .target(
      name: "Stores",
      dependencies: ["CFiles", "CSQLite", "DataModel", "GraphCore", "Support"],
      swiftSettings: checked),
    .target(
      name: "CoreDataStores",
      dependencies: [
        "ArchiveReader", "ArchiveWriter", "DataModel", "Stores", "Support", "CSQLite",
      ], swiftSettings: checked),
    .target(
      name: "Mappings",
      dependencies: [
        "ArchiveReader", "DataModel", "GraphCore", "Support",
        .product(name: "Yams", package: "Yams"),
      ], swiftSettings: checked),
    .target(
      name: "Migration",
      dependencies: [
        "ArchiveReader", "CoreDataStores", "DataModel", "GraphCore", "Mappings", "Support",
      ], swiftSettings: checked),
    .target(
      name: "Importer",
      dependencies: [
        "ArchiveReader", "ArchiveWriter", "DataModel", "GraphCore", "Mappings", "Stores", "Support",
        "CSQLite",
      ], swiftSettings: checked),
    .target(
      name: "Verification",
      dependencies: [
        "ArchiveReader", "ArchiveWriter", "CoreDataStores", "DataModel", "Importer", "Mappings",
        "Migration", "Stores", "Support", "CSQLite",
      ], swiftSettings: checked),
    .target(
      name: "Reporting",
      dependencies: [
        "ArchiveReader", "CoreDataStores", "GraphCore", "Importer", "Migration", "Stores",
        "Support", .product(name: "Yams", package: "Yams"),
      ], swiftSettings: checked),
    .target(
      name: "Converter",
      dependencies: [
        "ArchiveReader", "ArchiveWriter", "CoreDataStores", "Importer", "Migration", "Mappings",
        "Stores", "Reporting", "Support", "Verification",
      ], resources: [.embedInCode("Presets/messages.yaml")], swiftSettings: checked),
    .target(
      name: "ConvertCommand",
      dependencies: [
        "Converter", "ArchiveReader", "Migration", "Support",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: checked),
    .executableTarget(name: "convert", dependencies: ["ConvertCommand"]),

    // A converter of one's own, as Documentation/hooks.md explains it. The tests run it.
    .executableTarget(
      name: "mental-case-converter", dependencies: ["ConvertCommand", "Importer"],
      path: "Examples/MentalCase", exclude: ["MentalCase.xcdatamodeld"]),

    // Migrations of Core Data stores, as Documentation/migrating.md explains them. The tests run them.
    .executableTarget(
      name: "migration-examples", dependencies: ["ConvertCommand", "Importer"],
      path: "Examples/Migrations",
      exclude: [
        "README.md", "Maker", "Events/Events.xcdatamodeld", "Events/StepOne.xcmappingmodel",
        "Events/StepTwo.xcmappingmodel", "Expenses/Expenses.xcdatamodeld",
        "Expenses/Expenses1to2.xcmappingmodel", "Expenses/policies.yaml",
        "Locations/Locations.xcdatamodeld", "Locations/Locations1to2.xcmappingmodel",
        "Locations/policies.yaml", "MoneyMom/Model.xcdatamodeld",
        "MoneyMom/Model1-2.xcmappingmodel", "MoneyMom/policies.yaml",
      ]),
    .executableTarget(
      name: "make-example-mappings",
      dependencies: ["CoreDataStores", "DataModel", "MappingModelTesting"],
      path: "Examples/Migrations/Maker"),

    // The laws of object graphs, and a source in memory that keeps them: for tests of sources.
    .target(
      name: "GraphTesting", dependencies: ["GraphCore"], path: "Tests/GraphTesting",
      swiftSettings: checked),
    // Makes archives: for the samples, the tests, and what a store keeps as an archive.
    .target(name: "ArchiveWriter", swiftSettings: checked),
    .executableTarget(
      name: "make-sample-archives", dependencies: ["ArchiveWriter"], path: "SampleArchives/Maker"),

    .executableTarget(
      name: "make-conformance-cases",
      dependencies: ["ArchiveReader", "ArchiveWriter", "Stores", "StoreFuzzing", "TestSupport"],
      path: "Conformance/Maker"),

    // `convert`, which ends itself at a moment of choice: for tests.
    .executableTarget(
      name: "killed-converter", dependencies: ["ConvertCommand", "Converter"],
      path: "Tests/KilledConverter"),
    .target(
      name: "TestSupport", dependencies: ["ArchiveReader", "ArchiveWriter", "CSQLite", "Support"],
      path: "Tests/TestSupport"),
    // Random archives and stores, and what must become of them: for the tests, and for `make differential`.
    .target(
      name: "DifferentialTesting",
      dependencies: [
        "Converter", "ArchiveWriter", "CoreDataStores", "DataModel", "Importer", "TestSupport",
      ], path: "Tests/DifferentialTesting"),
    // Mapping models as Xcode makes them: for the tests, and for the examples.
    .target(
      name: "MappingModelTesting",
      dependencies: ["ArchiveWriter", "DataModel", "GraphCore", "Migration", "Mappings"],
      path: "Tests/MappingModelTesting"),
    // A sound SQLite store, and what may be damaged in it: for the tests, and for `make fuzz`.
    .target(
      name: "StoreFuzzing",
      dependencies: [
        "ArchiveWriter", "CoreDataStores", "DataModel", "GraphTesting", "Stores",
      ],
      path: "Tests/StoreFuzzing"),
    .executableTarget(
      name: "differential", dependencies: ["DifferentialTesting"],
      path: "Tests/DifferentialRunner"),
    .testTarget(
      name: "GraphTests",
      dependencies: ["GraphCore", "GraphTesting", "ArchiveReader", "Converter", "TestSupport"]),
    .testTarget(
      name: "ArchiveReaderTests",
      dependencies: [
        "ArchiveReader", "ArchiveWriter", "GraphCore", "GraphTesting", "Support", "TestSupport",
      ]),
    .testTarget(
      name: "CoreDataStoresTests",
      dependencies: [
        "CoreDataStores", "Converter", "ArchiveReader", "ArchiveWriter", "DataModel", "GraphCore",
        "GraphTesting", "Stores", "StoreFuzzing", "Support", "TestSupport",
      ]),
    .testTarget(
      name: "ArchiveWriterTests",
      dependencies: [
        "ArchiveWriter", "TestSupport", "make-conformance-cases", "make-sample-archives",
      ]),
    .testTarget(
      name: "ModelTests",
      dependencies: [
        "ArchiveReader", "ArchiveWriter", "CoreDataStores", "DataModel", "MappingModelTesting",
        "Support", "TestSupport",
      ]),
    .testTarget(
      name: "MappingModelTests",
      dependencies: [
        "Migration", "ArchiveReader", "ArchiveWriter", "DataModel", "GraphCore",
        "MappingModelTesting", "Mappings", "TestSupport",
      ]),
    .testTarget(
      name: "MigrationTests",
      dependencies: [
        "Migration", "ArchiveReader", "ArchiveWriter", "CoreDataStores", "DataModel", "GraphCore",
        "Converter", "GraphTesting", "MappingModelTesting", "Mappings", "Stores", "Support",
        "TestSupport",
      ]),
    .testTarget(
      name: "ImporterTests",
      dependencies: [
        "Converter", "ArchiveReader", "ArchiveWriter", "CoreDataStores", "DataModel",
        "DifferentialTesting", "Importer", "Mappings", "Stores", "Reporting", "Support",
        "TestSupport", "Verification", "migration-examples",
      ]),
    .testTarget(
      name: "ConvertTests",
      dependencies: [
        "ConvertCommand", "Converter", "ArchiveReader", "ArchiveWriter", "MappingModelTesting",
        "Support", "TestSupport", "convert", "killed-converter", "make-example-mappings",
        "mental-case-converter", "migration-examples",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzz targets and the program that makes their seeds. `make fuzz` sets the variable: they are
// linked with libFuzzer, which an ordinary build does without. See Fuzz/README.md.
if Context.environment["CONVERT_FUZZ"] != nil {
  func fuzzTarget(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
      name: "Fuzz\(name)", dependencies: dependencies, path: "Fuzz/\(name)",
      // A file of its own would be taken for a script.
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  }
  package.targets += [
    fuzzTarget("Binary", ["TestSupport"]),
    fuzzTarget("XML", ["TestSupport"]),
    fuzzTarget("Nib", ["TestSupport"]),
    fuzzTarget("Archive", ["TestSupport"]),
    fuzzTarget("Typedstream", ["ArchiveReader", "GraphTesting", "TestSupport"]),
    fuzzTarget("Conversion", ["Converter"]),
    fuzzTarget("XMLStore", ["CoreDataStores"]),
    fuzzTarget("BinaryStore", ["CoreDataStores"]),
    fuzzTarget("SQLiteStore", ["StoreFuzzing"]),
    .executableTarget(
      name: "make-fuzz-seeds",
      dependencies: ["ArchiveReader", "ArchiveWriter", "StoreFuzzing", "TestSupport"],
      path: "Fuzz/SeedMaker"),
  ]
}
