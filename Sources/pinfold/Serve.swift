import Foundation
import HTTP
import PinfoldServer
import Storage

extension Command {
    static let serve = Command(
        name: "serve", summary: "Serves the API and the web client until SIGTERM.",
        options: [
            Option(name: "data", value: "DIR", help: "holds all that is written (./var)"),
            Option(name: "host", value: "ADDRESS", help: "where to listen (127.0.0.1)"),
            Option(name: "port", value: "PORT", help: "0 takes a free one (8080)"),
            Option(name: "public-url", value: "URL", help: "how clients reach the server (http://HOST:PORT)"),
            Option(name: "rate-limits", value: "on|off", help: "off lifts every throttle, on loopback only (on)"),
            Option(name: "registration", value: "open|invite|closed", help: "who may sign up (open)"),
            Option(
                name: "trusted-proxy", value: "CIDR", help: "whose X-Forwarded-For is believed", isRepeatable: true),
            Option(
                name: "smtp-url", value: "URL",
                help: "the server that sends mail: smtps://USER:PASSWORD@HOST (files in DIR/outbox)"),
            Option(name: "mail-from", value: "ADDRESS", help: "whom mail is from"),
            Option(name: "gazetteer", value: "FILE", help: "the bundled gazetteer (data/gazetteer.tsv.zst)"),
            Option(
                name: "basemap", value: "FILE|URL",
                help: "the map: an MBTiles file, a template of tiles or TileJSON (tiles/world.mbtiles)"),
            Option(name: "print-config", value: nil, help: "shows the configuration and exits"),
        ],
        run: { arguments in
            let configuration = try ServeConfiguration(arguments)
            if arguments.has("print-config") {
                print(configuration.description)
                return
            }
            try serveUntilTerminated(configuration)
        })
}

/// Starts the service, waits for SIGTERM or SIGINT, drains and returns.
private func serveUntilTerminated(_ configuration: ServeConfiguration) throws {
    // Before the first thread, so that every thread inherits the mask and the signal waits for `sigwait`.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    raiseFileLimit()
    try startCrypto()
    let folder = try DataFolder(configuration.data)
    let app = try folder.open(configuration, withClient: true)
    if app.client?.hasMapLibre == false { app.log.info("web/maplibre-gl.js is not found: the web client has no map") }
    let service = Service(app, configuration.server)
    try service.start()
    let adminSocket = adminSocket(folder, app)
    app.log.info("listening", ["host": configuration.host, "port": String(service.port)])
    print("Pinfold serves on http://\(configuration.hostForURL):\(service.port)/")
    fflush(nil)

    var received: Int32 = 0
    sigwait(&signals, &received)
    app.log.info("stopping", ["signal": String(received)])
    adminSocket?.stop()
    service.stop(drain: .seconds(10))
}

/// Lets `pinfold admin` in; without it the service is as good for everybody else.
private func adminSocket(_ folder: DataFolder, _ app: App) -> AdminSocket? {
    do {
        return try AdminSocket(folder: folder.path, app)
    } catch {
        app.log.error("pinfold admin works only while the server is stopped", ["error": String(describing: error)])
        return nil
    }
}

/// Lets the process have as many open files, and so connections, as the system allows it.
func raiseFileLimit() {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(files, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(files, &limit)
}

/// What `pinfold serve` runs with, checked.
struct ServeConfiguration: CustomStringConvertible {
    var data: String
    var host: String
    var port: UInt16
    var publicURL: String
    var hasRateLimits: Bool
    var registration: Registration
    var trustedProxies: [CIDRBlock]
    var gazetteer: String?
    /// Has a password in it, which is never shown.
    var smtp: SMTPServer?
    var mailFrom: MailAddress?
    /// Nil for the bundled world.
    var basemap: String?

    /// - Throws: `UsageError` naming the option at fault.
    init(_ arguments: Arguments) throws {
        data = arguments["data"] ?? "./var"
        host = arguments["host"] ?? "127.0.0.1"
        guard let port = UInt16(arguments["port"] ?? "8080") else {
            throw UsageError("--port must be 0 to 65535")
        }
        self.port = port
        switch arguments["rate-limits"] ?? "on" {
        case "on": hasRateLimits = true
        case "off": hasRateLimits = false
        default: throw UsageError("--rate-limits must be on or off")
        }
        guard let registration = Registration(rawValue: arguments["registration"] ?? "open") else {
            throw UsageError("--registration must be open, invite or closed")
        }
        self.registration = registration
        trustedProxies = try arguments.all("trusted-proxy").map { text in
            guard let block = CIDRBlock(text) else {
                throw UsageError("--trusted-proxy must be a block of addresses such as 10.0.0.0/8, not \(text)")
            }
            return block
        }
        gazetteer = arguments["gazetteer"]
        basemap = arguments["basemap"]
        let isIPv6 = host.contains(":")
        publicURL = arguments["public-url"] ?? "http://\(isIPv6 ? "[\(host)]" : host):\(port)"
        guard let url = URL(string: publicURL), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw UsageError("--public-url must be an http or https URL")
        }
        guard url.query == nil, url.fragment == nil, url.user == nil, publicURL.utf8.count <= 500 else {
            throw UsageError("--public-url must have no user, query or fragment, and at most 500 bytes")
        }
        while publicURL.hasSuffix("/") { publicURL.removeLast() }
        smtp = try arguments["smtp-url"].map { text in
            do { return try SMTPServer(url: text) } catch let fault as SMTPServer.URLFault {
                throw UsageError("--smtp-url \(fault.message)")
            }
        }
        mailFrom = try arguments["mail-from"].map { text in
            guard let address = MailAddress(text) else { throw UsageError("--mail-from must be an e-mail address") }
            return address
        }
        guard smtp == nil || mailFrom != nil else {
            throw UsageError("--smtp-url needs --mail-from, the address that mail is from")
        }
        guard isLoopback || host == "0.0.0.0" || IPAddress(host) != nil else {
            throw UsageError("--host must be an IP address or localhost")
        }
        guard hasRateLimits || isLoopback else {
            throw UsageError("--rate-limits off is for loopback only, not for --host \(host)")
        }
    }

    var isLoopback: Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }

    var hostForURL: String { host.contains(":") ? "[\(host)]" : host }

    var server: Server.Configuration {
        var server = Server.Configuration()
        server.host = host
        server.port = port
        server.threads = max(2, ProcessInfo.processInfo.activeProcessorCount)
        server.perAddressConnectionLimit = hasRateLimits ? 256 : nil
        server.live.perAddress = hasRateLimits ? 256 : nil
        if !hasRateLimits { server.live.floodMessages = nil }
        server.trustedProxies = trustedProxies
        return server
    }

    /// The map, or nil where none is named and the bundled one is not there.
    ///
    /// - Throws: `CommandFailure`.
    func openBasemap() throws -> Basemap? {
        do {
            return try (basemap ?? BasemapBundle.find()).map { try Basemap($0) }
        } catch let error as BasemapError {
            throw CommandFailure(error.description)
        }
    }

    var description: String {
        """
        data = \(data)
        host = \(host)
        port = \(port)
        public-url = \(publicURL)
        rate-limits = \(hasRateLimits ? "on" : "off")
        registration = \(registration.rawValue)
        smtp-url = \(smtp?.description ?? "")
        mail-from = \(mailFrom?.description ?? "")
        trusted-proxy = \(trustedProxies.map(\.description).joined(separator: ", "))
        gazetteer = \(gazetteer ?? GazetteerBundle.find() ?? "")
        basemap = \(basemap ?? BasemapBundle.find() ?? "")
        """
    }
}
