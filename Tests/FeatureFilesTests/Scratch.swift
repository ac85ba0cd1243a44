import Foundation
import Testing

@testable import FeatureFiles

/// A folder for one test, gone with it.
final class Scratch {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "pinfold-features-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    func file(_ name: String, _ text: String) throws -> String {
        try file(name, Array(text.utf8))
    }

    /// Runs a program in the folder.
    @discardableResult
    func run(_ program: String, _ arguments: String..., input: String? = nil) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        let output = path + "/.output"
        try Data().write(to: URL(fileURLWithPath: output))
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardError = FileHandle.nullDevice
        if let input {
            process.standardInput = try FileHandle(
                forReadingFrom: URL(fileURLWithPath: try file(".input", input)))
        }
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(program) \(arguments)")
        return try String(contentsOfFile: output, encoding: .utf8)
    }
}

/// All that a file has.
struct ReadFile {
    var file: FeatureFile
    var features: [Feature] = []
    var faults: [FeatureFault] = []

    init(_ path: String, layer: String? = nil) throws {
        var options = FeatureFile.Options()
        options.layer = layer
        file = try FeatureFile(path: path, options)
        try file.read { item in
            switch item {
            case .feature(let feature): features.append(feature)
            case .fault(let fault): faults.append(fault)
            }
        }
    }

    func value(_ feature: Feature, _ column: String) -> Feature.Value {
        guard let index = file.columns.firstIndex(of: column), index < feature.values.count else { return .null }
        return feature.values[index]
    }

    func text(_ feature: Feature, _ column: String) -> String? {
        switch value(feature, column) {
        case .null: nil
        case .text(let text), .json(let text): text
        }
    }
}
