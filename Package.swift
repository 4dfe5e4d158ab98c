// swift-tools-version: 6.2

import PackageDescription

/// The compiler settings of every target in Swift.
let common: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Tests and commands are compiled without optimization and a few files at a time: they wait for
/// what they call, and would otherwise hold up the end of a build on one core.
let unoptimized: [SwiftSetting] = [
  .unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"])
]

/// Whether the package's own tests are built (`scripts/test`): as for debugging, which takes half of
/// the time. Packages that depend on this one must not see what that needs.
let isForTests = Context.environment["DRAWML_TESTS"] != nil

/// Rooms that calculate are optimized for tests, too. With more than one thread there is an object
/// for each file, as SwiftPM expects.
let calculating: [SwiftSetting] =
  isForTests ? [.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "2"])] : []

/// Sources also mark every unsafe expression; the testing macros expand to some that are not
/// marked.
let strict = common + [.strictMemorySafety()]

/// The rings of the house, folders of `Sources`: who you are decides how far out you look. A room
/// imports rooms of its own ring and of rings before it, which a test holds.
enum Ring: String {
  /// For an app that recognizes ink.
  case kit = "Kit"
  /// For training and evaluating.
  case toolkit = "Toolkit"
  /// For learners and teachers.
  case studio = "Studio"
  /// Optional features.
  case companions = "Companions"
  /// For measuring.
  case lab = "Lab"

  /// The folder of a room.
  func path(of room: String) -> String { "Sources/\(rawValue)/\(room)" }

  /// A room: of our rooms it may import only those it names here, which a test holds.
  func room(
    _ name: String, imports: [Target.Dependency], excluding files: [String] = [],
    settings: [SwiftSetting] = strict
  ) -> Target {
    let calculates =
      self == .kit
      || [
        "Artwork", "Capture", "Datasets", "Distributed", "Interchange", "Pictures", "Report",
        "Synthesis",
        "Training", "Vectorizing",
      ].contains(name)
    return .target(
      name: name, dependencies: imports, path: path(of: name), exclude: files,
      swiftSettings: settings + (calculates ? calculating : []))
  }

  /// Code in C, or files that the program carries. SwiftPM's `embedInCode` would have Swift parse
  /// each byte of a file as a literal: minutes, not a second.
  func c(_ name: String, imports: [Target.Dependency] = []) -> Target {
    .target(
      name: name, dependencies: imports, path: path(of: name),
      cSettings: isForTests ? [.unsafeFlags(["-O2"])] : [])
  }

  /// A library of the system, in a Debian package.
  func system(_ name: String, _ packages: String..., pkgConfig: String? = nil) -> Target {
    .systemLibrary(
      name: name, path: path(of: name), pkgConfig: pkgConfig, providers: [.apt(packages)])
  }
}

/// The tests that mirror a room.
func tests(
  of name: String, with others: [Target.Dependency] = [], copying folder: String? = nil
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TestTools"] + others,
    resources: folder.map { [.copy($0)] } ?? [], swiftSettings: common + unoptimized)
}

/// A runnable story that leaves a page with pictures: see `notebooks/README.md`.
func notebook(_ name: String, in folder: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      "Benchmarks", "Datasets", "Evaluation", "Files", "Ink", "NeuralNetwork", "NotebookTools",
      "Numbers", "Recognition", "Report", "Segmentation", "Synthesis", "Text", "Training",
    ],
    path: folder, swiftSettings: strict)
}

/// A product of another package, there only with the trait `Studio`.
func studioProduct(_ name: String, of package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Studio"]))
}

/// The library of MPI, linked only with the trait `MPI`.
func mpiLibrary(_ name: String) -> Target.Dependency {
  .target(name: name, condition: .when(traits: ["MPI"]))
}

/// What `Interchange` needs of another package.
let protobuf = Target.Dependency.product(
  name: "SwiftProtobuf", package: "swift-protobuf", condition: .when(traits: ["Interchange"]))

let package = Package(
  name: "DrawML",
  products: [
    .executable(name: "drawml", targets: ["drawml"]),
    // Recognizing and segmenting ink, without the packages of the studio.
    .library(name: "DrawMLKit", targets: ["Ink", "Recognition", "Segmentation"]),
    .library(
      name: "DrawML",
      targets: [
        "Ink", "Evaluation", "NeuralNetwork", "Recognition", "Segmentation", "Datasets",
        "Pictures", "Vectorizing", "Interchange",
      ]),
  ],
  traits: [
    .trait(name: "Interchange", description: "Core ML and ONNX, in the product 'DrawML'."),
    .trait(
      name: "Studio", description: "The studio, its workspace, and the program 'drawml'.",
      enabledTraits: ["Interchange"]),
    .trait(name: "MPI", description: "Training on several machines by 'mpirun drawml train'."),
    .default(enabledTraits: ["Studio"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0",
      traits: ["FullFoundation"]),
    .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    Ring.kit.system("COpenBLAS", "libopenblas-dev", "liblapacke-dev", pkgConfig: "openblas"),
    Ring.kit.system("COpenSSL", "libssl-dev", pkgConfig: "openssl"),
    Ring.kit.system("CHDF5", "libhdf5-dev"),
    Ring.kit.c("CKernels"),
    Ring.kit.c("CSegmenter"),
    Ring.kit.system("CZlib", "zlib1g-dev"),
    Ring.kit.room("CLibrary", imports: []),
    Ring.kit.room("Text", imports: []),
    Ring.kit.room("Numbers", imports: ["CLibrary"]),
    Ring.kit.room("Files", imports: ["CLibrary", "COpenSSL", "CZlib", "Text"]),
    Ring.kit.room("JSON", imports: ["Files", "Text"]),
    Ring.kit.room("HDF5", imports: ["CHDF5", "Files", "Text"]),
    Ring.kit.room("Ink", imports: ["CKernels", "CLibrary", "Files", "JSON", "Text"]),
    Ring.kit.room("Evaluation", imports: ["CLibrary", "Numbers", "Text"]),
    Ring.kit.room(
      "NeuralNetwork",
      imports: ["CKernels", "CLibrary", "COpenBLAS", "Files", "HDF5", "JSON", "Numbers", "Text"]),
    Ring.kit.room(
      "Recognition",
      imports: [
        "CLibrary", "Evaluation", "Files", "HDF5", "Ink", "JSON", "NeuralNetwork", "Numbers",
        "Text",
      ]),
    Ring.kit.room(
      "Segmentation",
      imports: [
        "CLibrary", "CSegmenter", "Files", "Ink", "JSON", "NeuralNetwork", "Numbers", "Recognition",
        "Text",
      ],
      excluding: ["segmenter.json"]),

    Ring.toolkit.system("CExpat", "libexpat1-dev"),
    Ring.toolkit.system("CJPEG", "libturbojpeg0-dev"),
    Ring.toolkit.system("CPNG", "libpng-dev", pkgConfig: "libpng"),
    Ring.toolkit.c("CWebPage"),
    Ring.toolkit.room(
      "Pictures", imports: ["CJPEG", "CLibrary", "CPNG", "CZlib", "Files", "Ink", "Text"]),
    Ring.toolkit.room("Vectorizing", imports: ["CLibrary", "Files", "Ink", "Pictures", "Text"]),
    Ring.toolkit.room(
      "Datasets",
      imports: [
        "CExpat", "CLibrary", "Files", "HDF5", "Ink", "JSON", "Numbers", "Pictures", "Text",
        "Vectorizing",
      ]),
    Ring.toolkit.room(
      "Report", imports: ["Evaluation", "Files", "Ink", "Pictures", "Text", "Vectorizing"]),
    // Generated code, which does not mark its unsafe expressions.
    Ring.toolkit.room(
      "InterchangeMessages", imports: [protobuf], excluding: ["CoreML.proto", "ONNX.proto"],
      settings: common),
    Ring.toolkit.room(
      "Interchange",
      imports: [
        "CWebPage", "Files", "Ink", "InterchangeMessages", "JSON", "NeuralNetwork", "Recognition",
        "Text", protobuf,
      ], excluding: ["Web/Page"]),
    Ring.toolkit.room(
      "Training",
      imports: [
        "CLibrary", "Datasets", "Evaluation", "Files", "HDF5", "Ink", "Interchange", "JSON",
        "NeuralNetwork", "Numbers", "Recognition", "Report", "Text",
        studioProduct("Yams", of: "Yams"),
      ]),
    // For other languages. `scripts/python` links it, because SwiftPM cannot make a shared library
    // of Debian's static HDF5 and LAPACKE.
    Ring.toolkit.room(
      "CInterface",
      imports: ["Datasets", "Files", "Ink", "JSON", "Recognition", "Text", "Training"],
      excluding: ["include"]),

    Ring.studio.c("CPage", imports: ["CWebPage"]),
    Ring.studio.system("CQRCode", "libqrcodegen-dev"),
    Ring.studio.c("CReleased"),
    // The distributed tracing that Hummingbird brings has a module `Tracing`.
    Ring.studio.room(
      "Trace",
      imports: ["CReleased", "Datasets", "Files", "Ink", "Pictures", "Text", "Vectorizing"],
      excluding: ["templates.ndjson"]),
    Ring.studio.room(
      "Workspace",
      imports: [
        "CReleased", "Files", "Ink", "JSON", "Pictures", "Recognition", "Text", "Trace",
        studioProduct("GRDB", of: "GRDB.swift"), studioProduct("GRDBSQLite", of: "GRDB.swift"),
      ]),
    Ring.studio.room(
      "Studio",
      imports: [
        "CLibrary", "COpenSSL", "CPage", "CQRCode", "CWebPage", "Files", "Ink", "JSON", "Pictures",
        "Recognition", "Segmentation", "Text", "Trace", "Workspace",
        studioProduct("Hummingbird", of: "hummingbird"),
      ], excluding: ["Page"]),

    // No other room opens connections to other machines, which a test holds.
    Ring.companions.c("CFetch"),
    Ring.companions.room("Remote", imports: ["CFetch", "Files", "Ink", "JSON", "Text"]),
    Ring.companions.room(
      "Capture",
      imports: [
        "CLibrary", "Files", "Ink", "JSON", "Numbers", "Recognition", "Segmentation", "Text",
        "Vectorizing",
      ]),

    Ring.companions.room("Calm", imports: ["COpenSSL", "Files", "JSON"]),

    Ring.companions.c("CArtStyles"),
    Ring.companions.room(
      "Artwork",
      imports: [
        "CArtStyles", "Ink", "JSON", "Numbers", "Pictures", "Recognition", "Segmentation", "Text",
      ],
      excluding: ["styles.json"]),

    Ring.companions.system("CMPI", "libopenmpi-dev", pkgConfig: "ompi-c"),
    Ring.companions.room(
      "Distributed",
      imports: ["CLibrary", mpiLibrary("CMPI"), "Files", "NeuralNetwork", "Text"]),

    Ring.lab.room("Synthesis", imports: ["CLibrary", "Ink", "Numbers", "Text"]),
    Ring.lab.room(
      "Benchmarks",
      imports: [
        "Datasets", "Evaluation", "Files", "HDF5", "Ink", "JSON", "NeuralNetwork", "Numbers",
        "Pictures", "Recognition", "Report", "Segmentation", "Synthesis", "Text", "Training",
        "Vectorizing",
      ]),
    .executableTarget(
      name: "drawml",
      dependencies: [
        "Artwork", "Benchmarks", "CLibrary", "Calm", "Capture", "Datasets", "Distributed", "Files",
        "HDF5", "Ink", "Interchange", "JSON", "NeuralNetwork", "Numbers", "Pictures", "Recognition",
        "Remote", "Report",
        "Segmentation", "Studio", "Synthesis", "Text", "Trace", "Training", "Vectorizing",
        "Workspace",
        studioProduct("ArgumentParser", of: "swift-argument-parser"),
      ],
      swiftSettings: strict + unoptimized),

    .target(
      name: "NotebookTools",
      dependencies: [
        "Benchmarks", "Datasets", "Evaluation", "Files", "Ink", "NeuralNetwork", "Numbers",
        "Pictures", "Recognition", "Report", "Synthesis",
      ],
      path: "notebooks/Tools", swiftSettings: strict),
    notebook("FirstModel", in: "notebooks/01-first-model"),
    notebook("WhatItSees", in: "notebooks/02-what-it-sees"),
    notebook("FewShot", in: "notebooks/03-few-shot"),
    notebook("Unknowns", in: "notebooks/04-refusing-unknowns"),
    notebook("OneByOne", in: "notebooks/05-one-after-another"),
    notebook("StrokesToEmojis", in: "notebooks/06-strokes-to-emojis"),

    .target(
      name: "StudioTesting",
      dependencies: [
        studioProduct("Hummingbird", of: "hummingbird"),
        studioProduct("NIOEmbedded", of: "swift-nio"),
      ], path: "Tests/StudioTesting", swiftSettings: strict),
    .target(
      name: "TestTools", dependencies: ["Files", "HDF5", "NeuralNetwork"], path: "Tests/TestTools",
      swiftSettings: strict),
    tests(of: "Text", with: ["CLibrary", "Files"]),
    tests(of: "Numbers", with: []),
    tests(of: "Files", with: ["CLibrary", "HDF5", "Numbers", "Pictures"]),
    tests(of: "JSON", with: []),
    tests(of: "HDF5", with: ["Files", "Numbers"]),
    tests(of: "Ink", with: ["Files", "JSON", "Numbers", "Pictures"], copying: "Fixtures"),
    tests(of: "Evaluation", with: ["Numbers"]),
    tests(of: "NeuralNetwork", with: ["Files", "HDF5", "Numbers"], copying: "Fixtures"),
    tests(of: "Vectorizing", with: ["Files", "Ink", "Numbers", "Pictures"], copying: "Fixtures"),
    tests(
      of: "Datasets",
      with: ["CZlib", "Files", "HDF5", "Ink", "Numbers", "Pictures", "Text", "Vectorizing"],
      copying: "Fixtures"),
    tests(of: "Synthesis", with: ["Datasets", "Files", "Ink", "Pictures", "Vectorizing"]),
    tests(of: "Trace", with: ["Files", "Ink", "Numbers", "Pictures", "Vectorizing"]),
    tests(
      of: "Recognition", with: ["Files", "HDF5", "Ink", "NeuralNetwork", "Numbers"],
      copying: "Fixtures"),
    tests(
      of: "Segmentation",
      with: ["CLibrary", "Files", "Ink", "JSON", "NeuralNetwork", "Numbers", "Recognition", "Text"]),
    .testTarget(
      name: "WorkspaceTests",
      dependencies: [
        "Files", "Ink", "NeuralNetwork", "Numbers", "Pictures", "Recognition", "TestTools", "Text",
        "Trace", "Vectorizing", "Workspace", studioProduct("GRDB", of: "GRDB.swift"),
      ], exclude: ["Fixtures"], swiftSettings: common + unoptimized),
    .testTarget(
      name: "StudioTests",
      dependencies: [
        "Files", "Ink", "Numbers", "Pictures", "Recognition", "Segmentation", "Studio",
        "StudioTesting", "Text", "Trace", "Workspace",
      ], swiftSettings: common + unoptimized),
    tests(
      of: "Interchange",
      with: [
        "Files", "Ink", "InterchangeMessages", "NeuralNetwork", "Numbers", "Recognition", protobuf,
      ],
      copying: "Fixtures"),
    tests(
      of: "Remote",
      with: [
        "CFetch", "Files", "Ink", "Numbers", "Pictures",
        studioProduct("NIOCore", of: "swift-nio"),
        studioProduct("NIOPosix", of: "swift-nio"),
      ]),
    tests(
      of: "Artwork", with: ["Files", "Ink", "JSON", "Pictures", "Recognition", "Segmentation"]),
    tests(of: "Calm", with: ["Files"]),
    tests(
      of: "Capture", with: ["Files", "Ink", "Numbers", "Recognition", "Training", "Vectorizing"]),
    tests(of: "Distributed"),
    tests(of: "Report", with: ["Ink", "Numbers", "Pictures", "Text"]),
    tests(of: "CInterface", with: ["Ink", "Recognition", "Training"]),
    tests(
      of: "Training",
      with: [
        "Datasets", "Evaluation", "Files", "Ink", "Interchange", "NeuralNetwork", "Numbers",
        "Recognition", "Report",
      ]),
    tests(
      of: "Benchmarks",
      with: [
        "Datasets", "Evaluation", "Ink", "NeuralNetwork", "Numbers", "Recognition", "Report",
        "Segmentation", "Synthesis", "Training",
      ]),
    tests(
      of: "drawml",
      with: [
        "Artwork", "Capture", "Datasets", "Evaluation", "FewShot", "Files", "FirstModel", "Ink",
        "JSON", "NeuralNetwork",
        "NotebookTools", "Numbers", "OneByOne", "Pictures", "Recognition", "Report", "Segmentation",
        "StrokesToEmojis", "Studio", "Synthesis", "Text", "Training", "Unknowns", "WhatItSees",
        "Workspace",
        studioProduct("ArgumentParser", of: "swift-argument-parser"),
      ]),
    .target(
      name: "Fuzzing",
      dependencies: [
        "Datasets", "Files", "HDF5", "Ink", "Interchange", "NeuralNetwork", "Numbers", "Pictures",
        "Recognition", "Segmentation", "TestTools", "Text", "Training", "Vectorizing",
      ], path: "Tests/Fuzzing", swiftSettings: strict),
    .target(
      name: "StudioFuzzing",
      dependencies: [
        "Files", "Fuzzing", "Ink", "Pictures", "Recognition", "Segmentation", "Studio",
        "StudioTesting", "Trace", "Workspace", studioProduct("GRDB", of: "GRDB.swift"),
      ], path: "Tests/StudioFuzzing", swiftSettings: strict),
    .testTarget(
      name: "HostileTests",
      dependencies: [
        "Datasets", "Files", "Fuzzing", "HDF5", "Ink", "NeuralNetwork", "Numbers", "Pictures",
        "Recognition", "StudioFuzzing", "TestTools", "Training",
      ], swiftSettings: common + unoptimized),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzer needs a compiler's sanitizers to be linked: scripts/fuzz asks for it.
if let readers = Context.environment["DRAWML_FUZZ"] {
  let hasStudio = readers == "all"
  package.targets += [
    .target(name: "CFuzz", path: "Tests/FuzzDriver/CFuzz"),
    .executableTarget(
      name: "fuzz", dependencies: ["CFuzz", "Fuzzing"] + (hasStudio ? ["StudioFuzzing"] : []),
      path: "Tests/FuzzDriver", exclude: ["CFuzz"],
      swiftSettings: strict + (hasStudio ? [.define("STUDIO")] : [])),
  ]
}
