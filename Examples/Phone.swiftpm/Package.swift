// swift-tools-version: 6.0

// Opened by Xcode and Swift Playgrounds as an app. Elsewhere its files are checked by `Scripts/check-ios-example`.
import PackageDescription

#if canImport(AppleProductTypes)
import AppleProductTypes

let products: [Product] = [
  .iOSApplication(
    name: "Phone",
    targets: ["Phone"],
    bundleIdentifier: "org.example.sightline.phone",
    displayVersion: "1.0",
    bundleVersion: "1",
    supportedDeviceFamilies: [.phone, .pad],
    supportedInterfaceOrientations: [.portrait],
    capabilities: [
      .camera(purposeString: "Shows places and markers over the camera's picture."),
      .locationWhenInUse(purposeString: "Says which places are around you."),
    ]
  )
]
#else
let products: [Product] = []
#endif

let package = Package(
  name: "Phone",
  platforms: [.iOS("26.0")],
  products: products,
  dependencies: [.package(name: "Sightline", path: "../..")],
  targets: [
    .executableTarget(
      name: "Phone",
      dependencies: [.product(name: "Sightline", package: "Sightline")],
      path: "Sources",
      swiftSettings: [.swiftLanguageMode(.v6)]
    )
  ]
)
