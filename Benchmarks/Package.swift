// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the product never depends on what it is measured with or against.
//
//   SIGHTLINE_CORE_ONLY=1 swift run -c release --package-path Benchmarks Benchmarks [PREFIX…]
//
// `SIGHTLINE_CORE_ONLY=1` keeps the server and its packages out. A prefix such as `Scene` or `Geodesy/nearest` chooses.
let package = Package(
  name: "SightlineBenchmarks",
  dependencies: [.package(name: "Sightline", path: "..")],
  targets: [
    .target(name: "CAllocations"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["CAllocations", .product(name: "Sightline", package: "Sightline")],
      swiftSettings: [.swiftLanguageMode(.v6)],
      linkerSettings: [.linkedLibrary("m")]
    ),
    // What recognising targets takes of memory, see its main.swift.
    .executableTarget(
      name: "TargetMemory",
      dependencies: [.product(name: "Sightline", package: "Sightline")],
      swiftSettings: [.swiftLanguageMode(.v6)],
      linkerSettings: [.linkedLibrary("m")]
    ),
    // Orientation on phones that had no part in choosing parameters, see its main.swift.
    .executableTarget(
      name: "LeaveOnePhoneOut",
      dependencies: [.product(name: "Sightline", package: "Sightline")],
      swiftSettings: [.swiftLanguageMode(.v6)],
      linkerSettings: [.linkedLibrary("m")]
    ),
    // Ways on foot through a drawn city, see its main.swift.
    .executableTarget(
      name: "Walking",
      dependencies: [
        .product(name: "Sightline", package: "Sightline"), .product(name: "SightlineWalking", package: "Sightline"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)],
      linkerSettings: [.linkedLibrary("m")]
    ),
    // An extract made into a ground, see its main.swift.
    .executableTarget(
      name: "Ground",
      dependencies: [.product(name: "SightlineGround", package: "Sightline")],
      swiftSettings: [.swiftLanguageMode(.v6)],
      linkerSettings: [.linkedLibrary("m")]
    ),
    // What is hidden behind buildings, see its main.swift.
    .executableTarget(
      name: "Occlusion",
      dependencies: [.product(name: "Sightline", package: "Sightline")],
      path: "occlusion",
      swiftSettings: [.swiftLanguageMode(.v6)],
      linkerSettings: [.linkedLibrary("m")]
    ),
    // Methods of other programs and of earlier years, for comparison. The main package has the same sources as its target
    // `SightlineBaselines`, for the command line: no product of the engine holds them.
    .target(
      name: "Baselines",
      dependencies: [.product(name: "Sightline", package: "Sightline")],
      path: "Baselines",
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    // Where labels are drawn against where things are, see its main.swift.
    .executableTarget(
      name: "EndToEnd",
      dependencies: [
        "Baselines",
        .product(name: "Sightline", package: "Sightline"), .product(name: "SightlineSimulator", package: "Sightline"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)],
      linkerSettings: [.linkedLibrary("m")]
    ),
  ]
)
