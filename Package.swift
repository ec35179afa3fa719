// swift-tools-version: 6.3
import PackageDescription

// `SIGHTLINE_CORE_ONLY=1` leaves out the server and its database with all the packages they need: the engine, the formats
// and a command line tool without `serve` and its like then build and test in a minute or two, from nothing. A trait could
// leave out the packages, but not the targets that need them: with Swift 6.3 `swift build` compiles every target of a root
// package, whatever is enabled, and stops at the first import of a module that is not there.
let coreOnly = Context.environment["SIGHTLINE_CORE_ONLY"] == "1"

/// Settings of engine code, which also builds as Embedded Swift for WebAssembly.
///
/// What that refuses is refused here too, as far as the native compiler can tell; `Scripts/build-wasm` finds the rest.
let engineSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatWarning("EmbeddedRestrictions", as: .error),
]
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

// What goes over a picture's every pixel is ten times slower without the optimiser, which tests, fuzzing and a debug server
// wait for; checks of bounds and overflow stay. Tests that draw pictures are among it. Packages that are fetched may not set
// such flags: they stand below a folder `checkouts`. `SIGHTLINE_DEBUG_VISION=1` leaves them out, to step through that code.
let isOptimised =
  !Context.packageDirectory.contains("/checkouts/") && Context.environment["SIGHTLINE_DEBUG_VISION"] != "1"
let optimised: Set<String> = [
  "SightlineMath", "SightlineImaging", "SightlineCamera", "SightlineMarkers", "SightlineQR", "SightlineImageTargets",
  "SightlineVision", "SightlineOdometry", "SightlineImagingTests", "SightlineMarkersTests", "SightlineQRTests",
  "SightlineImageTargetsTests", "SightlineVisionTests",
]

/// What a debug build optimises; `isPictures`: whether the target goes over pictures.
func optimisation(_ isPictures: Bool) -> [SwiftSetting] {
  isOptimised && isPictures ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []
}

func engine(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: "Sources/Engine/\(name)",
    swiftSettings: engineSettings + optimisation(optimised.contains(name)),
    linkerSettings: [.linkedLibrary("m")]
  )
}
func web(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Web/\(name)", swiftSettings: engineSettings)
}
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies + ["SightlineTestSupport"],
    exclude: exclude,
    swiftSettings: settings + optimisation(optimised.contains(name))
  )
}

/// What the module Sightline hands on.
let engineModules = [
  "SightlineInput", "SightlineMath", "SightlineGeodesy", "SightlineImaging", "SightlineCamera", "SightlineFusion",
  "SightlineMarkers", "SightlineImageTargets", "SightlineQR", "SightlineVision", "SightlineOdometry", "SightlineModels",
  "SightlineOcclusion", "SightlineScene",
  "SightlineWorlds", "SightlineEngine",
]

var products: [Product] = [
  .executable(name: "sightline", targets: ["SightlineTool"]),
  // `import Sightline` is the whole engine; each of its modules can be imported by itself too.
  .library(name: "Sightline", targets: ["Sightline"] + engineModules),
  .library(name: "SightlineFormats", targets: ["SightlineContent", "SightlineFormats"]),
  .library(name: "SightlineImport", targets: ["SightlineImport"]),
  .library(name: "SightlinePictures", targets: ["SightlinePictures"]),
  .library(name: "SightlineSimulator", targets: ["SightlineSimulator"]),
  .library(name: "SightlineWalking", targets: ["SightlineOpenStreetMap", "SightlineWalking"]),
  .library(name: "SightlineGround", targets: ["SightlineOpenStreetMap", "SightlineGround"]),
]
var dependencies: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
]
/// What the command line tool is made of in every build.
var toolDependencies: [Target.Dependency] = [
  "SightlineBaselines", "SightlineCamera", "SightlineContent", "SightlineFormats", "SightlineFusion",
  "SightlineGeodesy", "SightlineGround", "SightlineImaging", "SightlineImport", "SightlineInput", "SightlineMarkers",
  "SightlineMath", "SightlineModels", "SightlineOcclusion", "SightlinePictures", "SightlineQR", "SightlineRecording",
  "SightlineEngine", "SightlinePrint", "SightlineRendering", "SightlineScene", "SightlineSimulator",
  "SightlineImageTargets", "SightlineOdometry", "SightlineOdometryWasm", "SightlineVision", "SightlineWasmPictures",
  .product(name: "ArgumentParser", package: "swift-argument-parser"),
]

var targets: [Target] = [
  .target(name: "CSightline", path: "Sources/Engine/CSightline", linkerSettings: [.linkedLibrary("m")]),
  engine("SightlineInput", []),
  engine("SightlineMath", ["CSightline"]),
  engine("SightlineGeodesy", ["SightlineInput", "SightlineMath"]),
  engine("SightlineImaging", ["SightlineMath"]),
  engine("SightlineCamera", ["SightlineMath"]),
  engine("SightlineMarkers", ["SightlineMath", "SightlineImaging", "SightlineCamera"]),
  engine("SightlineQR", ["SightlineInput", "SightlineMath", "SightlineImaging", "SightlineCamera"]),
  engine("SightlineImageTargets", ["SightlineInput", "SightlineMath", "SightlineImaging", "SightlineCamera"]),
  engine(
    "SightlineVision",
    [
      "SightlineMath", "SightlineImaging", "SightlineCamera", "SightlineMarkers", "SightlineQR",
      "SightlineImageTargets",
    ]
  ),
  engine("SightlineOdometry", ["SightlineMath", "SightlineImaging", "SightlineCamera", "SightlineImageTargets"]),
  engine("SightlineFusion", ["SightlineMath", "SightlineGeodesy"]),
  engine("SightlineModels", ["SightlineInput", "SightlineMath"]),
  engine("SightlineOcclusion", ["SightlineInput", "SightlineMath"]),
  engine("SightlineScene", ["SightlineMath", "SightlineGeodesy", "SightlineCamera", "SightlineOcclusion"]),
  engine("SightlineWorlds", ["SightlineMath", "SightlineGeodesy", "SightlineCamera", "SightlineScene"]),
  engine(
    "SightlineEngine",
    [
      "SightlineMath", "SightlineGeodesy", "SightlineCamera", "SightlineFusion", "SightlineOcclusion", "SightlineScene",
      "SightlineWorlds",
    ]
  ),
  engine("Sightline", engineModules.map { .byName(name: $0) }),
  web("SightlineWasmMemory", ["SightlineMath", "SightlineCamera"]),
  web(
    "SightlineWasm",
    [
      "SightlineWasmMemory", "SightlineMath", "SightlineGeodesy", "SightlineCamera", "SightlineFusion",
      "SightlineOcclusion", "SightlineScene", "SightlineWorlds", "SightlineEngine",
    ]
  ),
  // Its functions have the names of SightlineWasm's, so no program has both.
  web(
    "SightlinePlacesWasm",
    [
      "SightlineWasmMemory", "SightlineMath", "SightlineGeodesy", "SightlineCamera", "SightlineFusion",
      "SightlineScene", "SightlineEngine",
    ]
  ),
  web("SightlineModelsWasm", ["SightlineWasmMemory", "SightlineMath", "SightlineModels"]),
  web("SightlineWasmPictures", ["SightlineImaging"]),
  web(
    "SightlineOdometryWasm",
    [
      "SightlineWasmMemory", "SightlineWasmPictures", "SightlineMath", "SightlineImaging", "SightlineCamera",
      "SightlineFusion", "SightlineOdometry",
    ]
  ),
  web(
    "SightlineVisionWasm",
    [
      "SightlineWasmMemory", "SightlineWasmPictures", "SightlineInput", "SightlineMath", "SightlineImaging",
      "SightlineCamera",
      "SightlineMarkers",
      "SightlineQR", "SightlineImageTargets", "SightlineVision",
    ]
  ),
  web(
    "SightlineWallsWasm",
    [
      "SightlineWasmMemory", "SightlineWasmPictures", "SightlineInput", "SightlineMath", "SightlineImaging",
      "SightlineCamera",
    ]
  ),
  // Methods of other programs and of earlier years, for comparison: `target compare`, `orientation`, tests. In no product.
  .target(
    name: "SightlineBaselines",
    dependencies: ["SightlineMath", "SightlineImaging", "SightlineCamera", "SightlineFusion"],
    path: "Benchmarks/Baselines",
    swiftSettings: settings
  ),
  .target(name: "SightlineContent", path: "Sources/Content/SightlineContent", swiftSettings: settings),
  .systemLibrary(
    name: "CZlib",
    path: "Sources/Content/CZlib",
    pkgConfig: "zlib",
    providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
  ),
  .target(
    name: "SightlineProtobuf",
    dependencies: ["SightlineInput"],
    path: "Sources/Content/SightlineProtobuf",
    swiftSettings: settings
  ),
  .target(
    name: "SightlineOpenStreetMap",
    dependencies: ["CZlib", "SightlineInput", "SightlineProtobuf"],
    path: "Sources/Content/SightlineOpenStreetMap",
    swiftSettings: settings
  ),
  .target(
    // What is prepared when a ground is built searches the graph once for each of its nodes.
    name: "SightlineWalking",
    dependencies: ["SightlineGeodesy", "SightlineInput", "SightlineOpenStreetMap"],
    path: "Sources/Service/SightlineWalking",
    swiftSettings: settings + optimisation(true)
  ),
  .target(
    name: "SightlineGround",
    dependencies: ["CZlib", "SightlineInput", "SightlineOpenStreetMap", "SightlineWalking"],
    path: "Sources/Service/SightlineGround",
    swiftSettings: settings
  ),
  .target(
    name: "SightlineTerrain",
    dependencies: [],
    path: "Sources/Content/SightlineTerrain",
    swiftSettings: settings
  ),
  .target(
    name: "SightlineArchive",
    dependencies: ["CZlib", "SightlineInput"],
    path: "Sources/Content/SightlineArchive",
    swiftSettings: settings
  ),
  .target(
    name: "SightlineFormats",
    dependencies: ["SightlineArchive", "SightlineContent", "SightlineInput"],
    path: "Sources/Content/SightlineFormats",
    swiftSettings: settings
  ),
  .target(
    name: "SightlineImport",
    dependencies: [
      "SightlineArchive", "SightlineContent", "SightlineFormats", "SightlineGeodesy", "SightlineInput", "SightlineMath",
      "SightlineScene", "SightlineWorlds",
    ],
    path: "Sources/Content/SightlineImport",
    swiftSettings: settings
  ),
  .target(
    name: "SightlineTours",
    dependencies: ["SightlineContent", "SightlineGeodesy", "SightlineInput"],
    path: "Sources/Service/SightlineTours",
    swiftSettings: settings
  ),
  .target(
    name: "SightlineRecording",
    dependencies: [
      "SightlineInput", "SightlineMath", "SightlineGeodesy", "SightlineCamera", "SightlineFusion", "SightlineOcclusion",
      "SightlineScene", "SightlineEngine",
    ],
    path: "Sources/Tools/SightlineRecording",
    swiftSettings: settings
  ),
  .systemLibrary(
    name: "CPng",
    path: "Sources/Content/CPng",
    pkgConfig: "libpng",
    providers: [.apt(["libpng-dev"]), .brew(["libpng"])]
  ),
  .systemLibrary(
    name: "CTurboJPEG",
    path: "Sources/Content/CTurboJPEG",
    pkgConfig: "libturbojpeg",
    providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]
  ),
  .systemLibrary(
    name: "CWebP",
    path: "Sources/Content/CWebP",
    pkgConfig: "libwebp",
    providers: [.apt(["libwebp-dev"]), .brew(["webp"])]
  ),
  .target(
    name: "SightlinePictures",
    dependencies: ["CPng", "CTurboJPEG", "CWebP", "SightlineInput"],
    path: "Sources/Content/SightlinePictures",
    swiftSettings: settings + optimisation(true)
  ),
  .target(
    name: "SightlinePrint",
    dependencies: ["SightlinePictures", "SightlineQR"],
    path: "Sources/Service/SightlinePrint",
    swiftSettings: settings
  ),
  // It draws frames pixel by pixel for the odometry's tests.
  .target(
    name: "SightlineTestSupport",
    path: "Tests/Support",
    swiftSettings: settings + optimisation(true)
  ),
  tests("SightlineInputTests", ["SightlineInput"]),
  tests("SightlineMathTests", ["SightlineMath"]),
  tests("SightlineGeodesyTests", ["SightlineGeodesy"]),
  tests("SightlineImagingTests", ["SightlineImaging", "SightlineMath"]),
  tests("SightlineCameraTests", ["SightlineCamera", "SightlineMath"]),
  tests("SightlineMarkersTests", ["SightlineMarkers"]),
  tests(
    "SightlineQRTests",
    ["SightlineQR", "SightlineEngine", "SightlineCamera", "SightlineGeodesy", "SightlineMath"]
  ),
  tests(
    "SightlineImageTargetsTests",
    ["SightlineImageTargets", "SightlineBaselines", "SightlineImaging", "SightlineCamera", "SightlineMath"]
  ),
  tests(
    "SightlineVisionTests",
    [
      "SightlineVision", "SightlineMarkers", "SightlineQR", "SightlineImageTargets", "SightlineImaging",
      "SightlineCamera",
      "SightlineMath",
    ]
  ),
  tests("SightlineOdometryTests", ["SightlineOdometry", "SightlineCamera", "SightlineImaging", "SightlineMath"]),
  tests("SightlineFusionTests", ["SightlineFusion", "SightlineBaselines"]),
  tests("SightlineModelsTests", ["SightlineModels", "SightlineMath"]),
  tests("SightlineSceneTests", ["SightlineScene"]),
  tests("SightlineWorldsTests", ["SightlineWorlds", "SightlineScene"]),
  tests("SightlineEngineTests", ["SightlineEngine"]),
  tests(
    "SightlineWasmTests",
    [
      "SightlineWasm", "SightlineModelsWasm", "SightlineVisionWasm", "SightlineOdometryWasm", "SightlineWasmMemory",
      "SightlineWasmPictures",
      "SightlineMarkers",
      "SightlineQR",
      "SightlineWorlds",
    ]
  ),
  tests("SightlineContentTests", ["SightlineContent"]),
  tests("SightlineToursTests", ["SightlineContent", "SightlineTours"]),
  tests("SightlineArchiveTests", ["SightlineArchive"]),
  tests("SightlineTerrainTests", ["SightlineTerrain"]),
  tests("SightlineProtobufTests", ["SightlineProtobuf"]),
  tests("SightlineOpenStreetMapTests", ["SightlineOpenStreetMap"]),
  tests("SightlineWalkingTests", ["SightlineWalking", "SightlineOpenStreetMap"]),
  tests("SightlineGroundTests", ["SightlineGround", "SightlineOpenStreetMap"]),
  tests("SightlineOcclusionTests", ["SightlineOcclusion", "SightlineMath"]),
  tests("SightlineFormatsTests", ["SightlineFormats", "SightlineInput"]),
  tests(
    "SightlineImportTests",
    ["SightlineArchive", "SightlineImport", "SightlineContent", "SightlineScene", "SightlineWorlds"]
  ),
  tests("SightlineRecordingTests", ["SightlineRecording"]),
  tests("SightlinePicturesTests", ["SightlinePictures"]),
]

if !coreOnly {
  products.append(.library(name: "SightlineTransit", targets: ["SightlineTransit"]))
  dependencies += [
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    // The file has its own reader, which knows lines; the package's are not needed.
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.24.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
  ]
  toolDependencies += [
    "SightlineOpenStreetMap", "SightlineReadWorkers", "SightlineStore", "SightlineServer", "SightlineTerrain",
    "SightlineTransit", "SightlineWalking",
    .product(name: "Configuration", package: "swift-configuration"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
    .product(name: "UnixSignals", package: "swift-service-lifecycle"),
  ]
  targets += [
    .target(
      name: "SightlineTransit",
      dependencies: [
        "SightlineArchive", "SightlineFormats", "SightlineGeodesy", "SightlineInput", "SightlineProtobuf",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Sources/Service/SightlineTransit",
      swiftSettings: settings
    ),
    .systemLibrary(
      name: "CPostgreSQL",
      path: "Sources/Service/CPostgreSQL",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
    ),
    .target(
      name: "SightlineStore",
      dependencies: [
        "CPostgreSQL", "SightlineContent", "SightlineImport", "SightlineInput", "SightlineTours",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Sources/Service/SightlineStore",
      swiftSettings: settings
    ),
    .systemLibrary(name: "CReadWorker", path: "Sources/Service/CReadWorker"),
    .target(
      name: "SightlineReadWorkers",
      dependencies: [
        "CReadWorker", "SightlineInput",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Sources/Service/SightlineReadWorkers",
      swiftSettings: settings
    ),
    .target(
      name: "SightlineServer",
      dependencies: [
        "CZlib", "SightlineArchive", "SightlineContent", "SightlineFormats", "SightlineGeodesy", "SightlineGround",
        "SightlineImaging",
        "SightlineImport", "SightlineInput", "SightlineModels", "SightlinePictures", "SightlinePrint", "SightlineQR",
        "SightlineReadWorkers", "SightlineStore", "SightlineImageTargets", "SightlineTerrain", "SightlineTours",
        "SightlineTransit", "SightlineWalking",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOFoundationCompat", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "X509", package: "swift-certificates"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Sources/Service/SightlineServer",
      swiftSettings: settings
    ),
    tests(
      "SightlineTransitTests",
      ["SightlineGeodesy", "SightlineInput", "SightlineTransit", .product(name: "GRDB", package: "GRDB.swift")]
    ),
    tests(
      "SightlineStoreTests",
      [
        "SightlineContent", "SightlineStore", "SightlineTours", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    // Both start workers of the built program; the dependency sees to it that it is built.
    tests(
      "SightlineReadWorkersTests",
      ["SightlineReadWorkers", "SightlineTool", .product(name: "Logging", package: "swift-log")]
    ),
    tests(
      "SightlineServerTests",
      [
        "SightlineTool", "SightlineArchive",
        "SightlineContent", "SightlineGeodesy", "SightlineGround", "SightlineImport", "SightlinePictures",
        "SightlineReadWorkers",
        "SightlineServer",
        "SightlineStore",
        "SightlineImageTargets", "SightlineTerrain", "SightlineTours",
        "SightlineTransit",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "SwiftASN1", package: "swift-asn1"), .product(name: "X509", package: "swift-certificates"),
      ]
    ),
  ]
}

// The virtual phone, and the drawing of what a phone shows.
targets += [
  .target(
    // It draws pixel by pixel, as the engine looks at them.
    name: "SightlineSimulator",
    dependencies: [
      "SightlineMath", "SightlineGeodesy", "SightlineCamera", "SightlineImaging", "SightlineFusion",
      "SightlineOcclusion",
    ],
    path: "Sources/Tools/SightlineSimulator",
    swiftSettings: settings + optimisation(true)
  ),
  tests("SightlineSimulatorTests", ["SightlineSimulator"]),
  .systemLibrary(
    name: "CPango",
    path: "Sources/Tools/CPango",
    pkgConfig: "pangocairo",
    providers: [.apt(["libpango1.0-dev"]), .brew(["pango"])]
  ),
  .target(
    name: "SightlineRendering",
    dependencies: [
      "CPango", "SightlineMath", "SightlineCamera", "SightlineModels", "SightlineOcclusion", "SightlineScene",
      "SightlineEngine", "SightlinePictures",
    ],
    path: "Sources/Tools/SightlineRendering",
    swiftSettings: settings
  ),
  tests("SightlineRenderingTests", ["SightlineRendering", "SightlineModels"]),
]

targets += [
  .executableTarget(
    // Named so that no file system mistakes it for the module Sightline; the program is `sightline`.
    name: "SightlineTool",
    dependencies: toolDependencies,
    path: "Sources/Tools/sightline",
    exclude: coreOnly ? ["Service"] : [],
    swiftSettings: settings + (coreOnly ? [.define("SIGHTLINE_CORE_ONLY")] : [])
  ),
  // Runs the built program; the dependency sees to it that it is built.
  tests(
    "SightlineToolTests",
    [
      "SightlineTool", "SightlineRecording", "SightlineImaging", "SightlineMarkers", "SightlineMath",
      "SightlinePictures", "SightlineQR",
    ],
    exclude: coreOnly ? ["Service"] : []
  ),
]

func example(_ name: String, _ dependencies: [Target.Dependency], isPictures: Bool = false) -> Target {
  .executableTarget(
    name: name,
    dependencies: dependencies,
    path: "Examples/\(name)",
    swiftSettings: settings + optimisation(isPictures)
  )
}

// Small programs that use the package as anybody would. A test runs each and looks at what it prints.
targets += [
  example("GeoSession", ["Sightline", "SightlineImport"]),
  example("MarkerPose", ["Sightline", "SightlinePictures"]),
  example("FindPicture", ["Sightline", "SightlinePictures"]),
  // What the app of Examples/Phone.swiftpm does without Apple's frameworks.
  .target(
    name: "PhoneExample",
    dependencies: ["Sightline"],
    path: "Examples/Phone.swiftpm/Sources/Core",
    swiftSettings: settings
  ),
]

var testedExamples: [Target.Dependency] = ["GeoSession", "MarkerPose", "FindPicture", "PhoneExample"]
#if os(Linux)
// Cameras and windows of Linux.
targets += [
  .systemLibrary(name: "CX11", path: "Examples/CX11", pkgConfig: "x11", providers: [.apt(["libx11-dev"])]),
  .systemLibrary(name: "CVideo4Linux", path: "Examples/CVideo4Linux"),
  example(
    "CameraWindow",
    ["Sightline", "SightlinePictures", "CPango", "CVideo4Linux", "CX11"],
    isPictures: true
  ),
]
testedExamples += ["CameraWindow", "CX11"]
#endif
targets.append(
  tests("ExamplesTests", testedExamples + ["Sightline", "SightlinePictures"], exclude: ["FakeCamera"])
)

// The generators of Fuzz/, for the tests, which share the debug build; `Fuzz/structured.py` builds them by themselves and
// optimised. They look into modules (`@testable`), which a release build of the whole package does not admit.
if Context.environment["SIGHTLINE_FUZZ"] == "1", !coreOnly {
  targets.append(
    .executableTarget(
      name: "structured-fuzz",
      dependencies: [
        "CZlib", "SightlineArchive", "SightlineCamera", "SightlineContent", "SightlineEngine", "SightlineFormats",
        "SightlineFusion", "SightlineGeodesy", "SightlineImaging", "SightlineInput", "SightlineMarkers",
        "SightlineMath",
        "SightlineModels", "SightlinePictures", "SightlineQR", "SightlineRecording", "SightlineScene",
        "SightlineServer", "SightlineSimulator", "SightlineStore", "SightlineImageTargets", "SightlineTours",
        "SightlineGround", "SightlineOpenStreetMap", "SightlineTestSupport", "SightlineTransit", "SightlineVision",
        "SightlineWalking",
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "NIOCore", package: "swift-nio"),
      ],
      path: "Fuzz/Structured",
      exclude: ["Samples", "Substitutes"],
      swiftSettings: settings
    )
  )
}

let package = Package(
  name: "Sightline",
  // `InlineArray` and `Span` are part of these systems; elsewhere they come with the toolchain.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: products,
  dependencies: dependencies,
  targets: targets
)
