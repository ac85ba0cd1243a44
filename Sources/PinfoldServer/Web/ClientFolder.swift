import Foundation

/// Where the program's own files for the web client are.
///
/// SwiftPM's `Bundle.module` ends the process where there is no folder, and looks at the place where the program was
/// built; so the folder is searched here.
package enum ClientFolder {
    private static let bundle = "pinfold_PinfoldServer.resources"

    /// The client beside the running program, with MapLibre from `web/` in a folder at or above it.
    ///
    /// - Throws: `ClientFilesError`.
    package static func load(origins: [String] = []) throws -> ClientFiles {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return try load(beside: URL(fileURLWithPath: program).deletingLastPathComponent(), origins: origins)
    }

    static func load(beside program: URL, origins: [String] = []) throws -> ClientFiles {
        let folder = program.appending(path: "\(bundle)/Client").path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw ClientFilesError.notBesideProgram(bundle)
        }
        return try ClientFiles(folder: folder, mapLibre: mapLibre(at: program), origins: origins)
    }

    private static func mapLibre(at program: URL) -> String? {
        var folder = program
        while folder.path != "/" {
            let web = folder.appending(path: "web").path
            if FileManager.default.fileExists(atPath: "\(web)/maplibre-gl.js") { return web }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}
