import Foundation

/// A subcommand: how it is called, and what it does.
struct Command: Sendable {
    let name: String
    let summary: String
    let options: [Option]
    /// What stands behind the options, for the usage line: `"LAT LON"`.
    var operands = ""
    let run: @Sendable (Arguments) throws -> Void

    /// An option `--name VALUE`; it may come from the environment as `PINFOLD_NAME` instead.
    struct Option: Sendable {
        let name: String
        /// Nil for a switch without a value.
        let value: String?
        let help: String
        var isRepeatable = false

        var environmentName: String { "PINFOLD_" + name.uppercased().replacing("-", with: "_") }
    }

    static let all = [serve, demo, importFile, admin, search, reverse, places, bench]

    var usage: String {
        let head = (["usage: pinfold", name, options.isEmpty ? "" : "[options]", operands].filter { !$0.isEmpty })
            .joined(separator: " ")
        let rows = options.map { option in
            let call = "--\(option.name)" + (option.value.map { " \($0)" } ?? "") + (option.isRepeatable ? " …" : "")
            return "  " + call.padding(toLength: max(26, call.count + 2), withPad: " ", startingAt: 0) + option.help
        }
        let note = "Options win over PINFOLD_* environment variables, those over the defaults."
        return ([head, "", summary] + (rows.isEmpty ? [] : [""] + rows + ["", note])).joined(separator: "\n")
    }

    static var overview: String {
        let rows = all.map { "  " + $0.name.padding(toLength: 10, withPad: " ", startingAt: 0) + $0.summary }
        return "usage: pinfold COMMAND [options]\n\n" + rows.joined(separator: "\n")
            + "\n\n`pinfold COMMAND --help` tells the rest."
    }
}

/// A call that the command does not take: exit 2.
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// A failure with its one line for standard error: exit 1.
struct CommandFailure: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// What a command was called with.
struct Arguments {
    private var values: [String: [String]] = [:]
    private(set) var operands: [String] = []
    private(set) var wantsHelp = false

    /// - Throws: `UsageError`.
    init(_ words: [String], for command: Command, environment: [String: String]) throws {
        var words = words[...]
        var isBehindOptions = false
        while let word = words.popFirst() {
            // A negative number, such as a latitude, is no option.
            guard !isBehindOptions, word.hasPrefix("-"), word.count > 1, Double(word) == nil else {
                operands.append(word)
                continue
            }
            if word == "--" {
                isBehindOptions = true
                continue
            }
            if word == "--help" || word == "-h" {
                wantsHelp = true
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts[0].hasPrefix("--"), let option = command.options.first(where: { "--\($0.name)" == parts[0] })
            else { throw UsageError("unknown option \(parts[0])") }
            var value = ""
            if option.value != nil {
                guard let given = parts.count > 1 ? parts[1] : words.popFirst() else {
                    throw UsageError("--\(option.name) needs a value")
                }
                value = given
            } else if parts.count > 1 {
                throw UsageError("--\(option.name) takes no value")
            }
            guard option.isRepeatable || values[option.name] == nil else {
                throw UsageError("--\(option.name) is given twice")
            }
            values[option.name, default: []].append(value)
        }
        if command.operands.isEmpty, let operand = operands.first, !wantsHelp {
            throw UsageError("\(operand) is too much: \(command.name) takes options only")
        }
        for option in command.options where values[option.name] == nil {
            guard let value = environment[option.environmentName] else { continue }
            values[option.name] =
                option.isRepeatable ? value.split(separator: ",").map(String.init) : [value]
        }
    }

    subscript(_ name: String) -> String? { values[name]?.last }

    func all(_ name: String) -> [String] { values[name] ?? [] }

    func has(_ name: String) -> Bool { values[name] != nil }
}

/// Runs the command that the process was called with and exits.
func runCommand() -> Never {
    let words = CommandLine.arguments.dropFirst()
    guard let name = words.first else {
        complain(Command.overview)
        exit(2)
    }
    if ["--help", "-h", "help"].contains(name) {
        print(Command.overview)
        exit(0)
    }
    guard let command = Command.all.first(where: { $0.name == name }) else {
        complain("pinfold: there is no command \(name)\n\n" + Command.overview)
        exit(2)
    }
    do {
        let arguments = try Arguments(
            Array(words.dropFirst()), for: command, environment: ProcessInfo.processInfo.environment)
        if arguments.wantsHelp {
            print(command.usage)
            exit(0)
        }
        try command.run(arguments)
        exit(0)
    } catch let error as UsageError {
        complain("pinfold \(name): \(error.message)\n\n\(command.usage)")
        exit(2)
    } catch let error as CommandFailure {
        complain("pinfold \(name): \(error.message)")
    } catch {
        complain("pinfold \(name): \(error)")
    }
    exit(1)
}

/// Writes a line to standard error.
func complain(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}
