// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// For what other targets build on: in a release the compiler may put its functions, generic ones above all, into theirs.
let shared: [SwiftSetting] =
    strict + [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]

// What every group of features uses.
let features: [Target.Dependency] = [
    "HTML", "Imaging", "Serving", "Storage",
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "Crypto", package: "swift-crypto"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]
// For loops over pixels: without optimisation, a debug build would be too slow to test or to try.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
    name: "tintype",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "tintype", targets: ["Commands"]),
        .executable(name: "tintype-pictures", targets: ["Pictures"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(
            url: "https://github.com/apple/swift-configuration", exact: "1.4.0",
            traits: ["JSON", "CommandLineArguments"]),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "Commands",
            dependencies: [
                "Core", "Serving", "Storage", "Tintype",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: strict),
        // What any HTTP server needs. It knows no word of the product.
        .target(
            name: "Serving",
            dependencies: [
                "HTML", "CLinux",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: shared),
        // What all features stand on.
        .target(
            name: "Core",
            dependencies: [
                "HTML", "Imaging", "Serving", "Storage", "CDeflate",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.copy("Resources")],
            swiftSettings: shared),
        // Who is here, what they are to each other, and their photos.
        .target(name: "People", dependencies: ["Core"] + features, swiftSettings: strict),
        // What people show and say to each other.
        .target(name: "Feeds", dependencies: ["Core", "People"] + features, swiftSettings: strict),
        // What people make of photos.
        .target(
            name: "Making", dependencies: ["Alignment", "Core", "Feeds", "People"] + features,
            swiftSettings: strict),
        // The application: all features in one, the demo, and what the operator does.
        .target(
            name: "Tintype",
            dependencies: [
                "Core", "Feeds", "Making", "People", "CArchive",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ] + features,
            swiftSettings: strict),
        .executableTarget(
            name: "benchmark",
            dependencies: [
                "Alignment", "Imaging",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Benchmarks/Server",
            swiftSettings: strict),
        .target(name: "HTML", swiftSettings: shared),
        .executableTarget(name: "Pictures", dependencies: ["Decoding"], swiftSettings: strict),
        .target(name: "Alignment", swiftSettings: strict + optimised),
        .executableTarget(
            name: "benchmark-alignment", dependencies: ["Alignment"], path: "Benchmarks/alignment/Command",
            swiftSettings: strict),
        .target(
            name: "Imaging",
            dependencies: ["Alignment", "CLinux", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict),
        .target(
            name: "Decoding", dependencies: ["Alignment", "Imaging", "CSandbox", "CLinux", "CVips"],
            swiftSettings: strict + optimised),
        .target(
            name: "Storage",
            dependencies: [
                "CPostgres", "CSQLite",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: shared),
        .target(name: "CLinux"),
        .target(name: "CSandbox", dependencies: ["CSeccomp"]),
        .target(
            name: "CVips", dependencies: ["CVipsLibrary"], linkerSettings: [.linkedLibrary("gmodule-2.0")]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .systemLibrary(name: "CVipsLibrary", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .testTarget(name: "AlignmentTests", dependencies: ["Alignment"], swiftSettings: strict),
        .testTarget(name: "HTMLTests", dependencies: ["HTML"], swiftSettings: strict),
        .testTarget(
            name: "ImagingTests",
            dependencies: [
                "Alignment", "CLinux", "Decoding", "Imaging",
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.copy("Fixtures")], swiftSettings: strict + optimised),
        .executableTarget(
            name: "Misbehaving", dependencies: ["Alignment", "CSandbox", "CLinux", "Decoding", "Imaging"],
            path: "Tests/Misbehaving", swiftSettings: strict),
        .target(
            name: "TestPostgres", dependencies: ["Storage", .product(name: "Logging", package: "swift-log")],
            path: "Tests/TestPostgres", swiftSettings: strict),
        .target(
            name: "TestS3",
            dependencies: [
                "Storage", .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Tests/TestS3", swiftSettings: strict),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "Storage", "TestPostgres", "TestS3", .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TintypeTests",
            dependencies: [
                "CArchive", "CSQLite", "Core", "Feeds", "HTML", "Imaging", "Making", "People", "Serving",
                "Storage", "TestPostgres", "TestS3", "Tintype",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Features/Waves/public"], swiftSettings: strict),
    ]
)
