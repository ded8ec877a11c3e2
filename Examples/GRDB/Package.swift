// swift-tools-version: 6.0
import PackageDescription

// The records are written by archive-convert code into Sources/ReadStore.
let package = Package(
  name: "ReadStore",
  platforms: [.macOS(.v14), .iOS(.v17)],
  dependencies: [.package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0")],
  targets: [
    .executableTarget(
      name: "ReadStore", dependencies: [.product(name: "GRDB", package: "GRDB.swift")])
  ])
