// swift-tools-version: 6.0
import PackageDescription

// The arrows of the house: each target imports only what stands in its `dependencies`.
let package = Package(
    name: "pinfold",
    // Of the targets that are not the server's: Geo, SocialModel and PinfoldClient.
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [
        .executable(name: "pinfold", targets: ["pinfold"]),
        .library(name: "PinfoldClient", targets: ["PinfoldClient"]),
    ],
    targets: [
        // C libraries. Where Swift can call the library directly, a module map is enough; where it needs variadic
        // functions or macros, a small shim stands in the target.
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("spatialite")]),
        .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd")]),
        .systemLibrary(name: "CSodium"),
        .systemLibrary(name: "CProj"),
        .systemLibrary(name: "CZstd"),
        .systemLibrary(name: "CWslay"),
        .systemLibrary(name: "CZlib"),
        // Its headers stand in a folder of their own, which pkg-config knows.
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0"),
        .systemLibrary(name: "CMinizip"),
        .systemLibrary(name: "CCurl"),
        // To start programs, and for threads that give way to others.
        .systemLibrary(name: "CLinux"),

        // Apps have no PROJ; exact distances are the server's to measure.
        .target(name: "Geo", dependencies: [.target(name: "CProj", condition: .when(platforms: [.linux]))]),
        .target(name: "SocialModel", dependencies: ["Geo"]),
        .target(name: "Storage", dependencies: ["CSQLite"]),
        // Files of geographic data, read record by record; knows nothing of the service.
        .target(
            name: "FeatureFiles", dependencies: ["Geo", "Storage", "CProj", "CXML2", "CZlib", "CZstd"]),
        .target(name: "HTTP", dependencies: ["CMicroHTTPD", "CWslay", "CZlib"]),
        .target(
            name: "PinfoldServer",
            dependencies: [
                "Geo", "SocialModel", "Storage", "HTTP", "FeatureFiles", "CSodium", "CZstd", "CMinizip",
                "CCurl", "CLinux",
            ],
            resources: [.copy("Web/Client")]
        ),
        .target(name: "PinfoldClient", dependencies: ["Geo", "SocialModel"]),
        // Drives a browser: for the tests of the web client and the benchmark of it.
        .target(name: "WebDriver", dependencies: ["CLinux"]),
        .executableTarget(
            // CWslay for epoll: the benchmarks have thousands of clients.
            name: "pinfold",
            dependencies: [
                "PinfoldServer", "Geo", "SocialModel", "Storage", "HTTP", "FeatureFiles", "CWslay", "WebDriver",
                "CLinux",
            ]),

        .testTarget(name: "GeoTests", dependencies: ["Geo"]),
        .testTarget(name: "StorageTests", dependencies: ["Storage"]),
        .testTarget(name: "FeatureFilesTests", dependencies: ["FeatureFiles", "Geo", "Storage", "CZstd"]),
        .testTarget(name: "HTTPTests", dependencies: ["HTTP", "CZlib"]),
        .testTarget(
            name: "PinfoldServerTests",
            dependencies: [
                "PinfoldServer", "Geo", "SocialModel", "Storage", "HTTP", "FeatureFiles", "CSodium", "CZstd",
            ]
        ),
        .testTarget(
            name: "PinfoldClientTests",
            dependencies: ["PinfoldClient", "PinfoldServer", "Geo", "SocialModel", "Storage", "HTTP", "CZstd"]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["pinfold", "PinfoldServer", "Geo", "Storage", "CSQLite", "CZstd", "CLinux"]),
        .testTarget(
            name: "WebTests",
            dependencies: ["WebDriver", "PinfoldServer", "Storage", "HTTP"],
            // Scripts that run in the page.
            resources: [.copy("Scripts")]),
    ],
    swiftLanguageModes: [.v6]
)
