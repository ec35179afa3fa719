// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ListPlaces",
  dependencies: [.package(name: "Sightline", path: "../..")],
  targets: [
    .executableTarget(
      name: "ListPlaces",
      dependencies: [
        .product(name: "Sightline", package: "Sightline"), .product(name: "SightlineFormats", package: "Sightline"),
      ],
      path: "Sources"
    )
  ]
)
