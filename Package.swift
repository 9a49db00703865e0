// swift-tools-version: 6.2
import PackageDescription

/// Warnings stop the build where somebody asks for it (`make`, CI), never in a client's own build.
let warningsStop = Context.environment["CARRYOVER_WARNINGS"] == "error"

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + (warningsStop ? [.treatAllWarnings(as: .error)] : [])

/// What runs once a key or once a file is made small in the binary of `make release`; what reads values stays fast. A
/// client could not use a package with such flags, so it never sees them.
let smaller: [SwiftSetting] =
  settings + (Context.environment["CARRYOVER_SMALL"] == nil ? [] : [.unsafeFlags(["-Osize"])])

/// The review is no library for others; `Benchmarks` alone is given it as one.
let measured: [Product] =
  Context.environment["CARRYOVER_BENCHMARKS"] == nil
  ? [] : [.library(name: "Review", targets: ["Review", "Terminal"])]

let package = Package(
  name: "carryover",
  platforms: [.macOS(.v14), .iOS(.v16), .tvOS(.v16)],
  products: [
    .library(name: "PropertyLists", targets: ["PropertyLists"]),
    .library(name: "Carryover", targets: ["Carryover"]),
    .library(name: "Containers", targets: ["Containers"]),
    .executable(name: "carryover", targets: ["CarryoverCommand"]),
  ] + measured,
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    .target(name: "PropertyLists", swiftSettings: settings),
    .target(name: "CSystem"),
    .target(name: "Carryover", dependencies: ["CSystem", "PropertyLists"], swiftSettings: settings),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "CArchive"),
    .target(
      name: "Containers", dependencies: ["CArchive", "CSQLite", "Carryover", "PropertyLists"], swiftSettings: smaller),
    .target(name: "Terminal", swiftSettings: settings),
    .target(
      name: "CCurses",
      linkerSettings: [
        .linkedLibrary("ncursesw", .when(platforms: [.linux])),
        .linkedLibrary("ncurses", .when(platforms: [.macOS])),
      ]),
    .target(name: "CursesTerminal", dependencies: ["CCurses", "Terminal"], swiftSettings: settings),
    .target(
      name: "Review", dependencies: ["Carryover", "PropertyLists", "Terminal"], swiftSettings: smaller),
    .executableTarget(
      name: "CarryoverCommand",
      dependencies: [
        "Carryover", "Containers", "CursesTerminal", "PropertyLists", "Review", "Terminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: smaller),

    .testTarget(name: "PropertyListsTests", dependencies: ["PropertyLists"], swiftSettings: settings),
    .testTarget(name: "CarryoverTests", dependencies: ["Carryover", "PropertyLists"], swiftSettings: settings),
    .testTarget(
      name: "ContainersTests", dependencies: ["CSQLite", "Carryover", "Containers", "PropertyLists"],
      swiftSettings: settings),
    .testTarget(name: "TerminalTests", dependencies: ["Terminal"], swiftSettings: settings),
    .testTarget(
      name: "CursesTerminalTests", dependencies: ["CursesTerminal", "Terminal"], swiftSettings: settings),
    .testTarget(
      name: "ReviewTests", dependencies: ["Carryover", "Containers", "PropertyLists", "Review", "Terminal"],
      swiftSettings: settings),
    .testTarget(
      name: "CommandTests", dependencies: ["Carryover", "CarryoverCommand", "Containers", "PropertyLists"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
