import Foundation
import HTTP
import SocialModel
import Storage

/// All that the handlers depend on, handed to each; there is nothing global.
package struct App: Sendable {
    package let database: DatabasePool
    package let currentGazetteer: CurrentGazetteer
    package var gazetteer: Gazetteer? { currentGazetteer.gazetteer }
    package let passwords: PasswordHasher
    package let registration: Registration
    /// The web client; nil serves the API alone.
    package let client: ClientFiles?
    /// How clients reach the server, without a slash at its end.
    package let publicURL: String
    /// The map beneath the pins; nil for none.
    package let basemap: Basemap?
    /// Milliseconds since 1970.
    package let clock: @Sendable () -> Int64
    /// Unpredictable bytes; tests give repeatable ones.
    package let random: @Sendable (Int) -> [UInt8]
    package let log: Log
    package let metrics: Metrics
    /// Where answers that are too large for memory are written before they are sent.
    package let temporaryFolder: String
    let site: Site
    let planner: PinPlanner
    let pinNames = PinNamesMemory()
    /// To be told of each change of a dataset.
    package let landmarkNames: LandmarkNames
    let landmarkTiles = LandmarkTileCache()
    let throttle: SignInThrottle
    let exports: ExportSlots
    let importSlots = ImportSlots()
    let cursors: CursorSeal
    let logCursors: LogCursorSeal
    let cookieSuccession: CookieSuccession
    let live: LiveHub
    let mail: MailSender
    /// Imports of landmark datasets.
    package let imports: ImportWorker
    /// The scope that an API token needs for the route that this is handed to; nil lets none in, whatever its scopes.
    private(set) var scope: APIToken.Scope?

    package init(
        database: DatabasePool, gazetteer: Gazetteer?, passwords: PasswordHasher = PasswordHasher(),
        registration: Registration = .open, client: ClientFiles? = nil, basemap: Basemap? = nil,
        rateLimits: Bool = true, clock: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable (Int) -> [UInt8] = randomBytes, log: Log, metrics: Metrics = Metrics(),
        temporaryFolder: String = FileManager.default.temporaryDirectory.path,
        publicURL: String = "http://127.0.0.1:8080", mail: MailSettings? = nil,
        importFolder: String? = nil, landmarkFolder: String? = nil, categories: CategoryTable? = nil
    ) throws {
        self.database = database
        currentGazetteer = CurrentGazetteer(gazetteer)
        self.passwords = passwords
        self.registration = registration
        self.client = client
        self.basemap = basemap
        self.clock = clock
        self.random = random
        self.log = log
        self.metrics = metrics
        self.temporaryFolder = temporaryFolder
        site = Site(publicURL: publicURL)
        self.publicURL = publicURL
        planner = PinPlanner()
        landmarkNames = LandmarkNames(database, folder: landmarkFolder ?? temporaryFolder + "/landmarks", log: log)
        throttle = SignInThrottle(isOn: rateLimits)
        exports = ExportSlots(isLimited: rateLimits)
        func secret(_ name: String) throws -> [UInt8] {
            let value = try database.read { read in
                try read.row("SELECT value FROM secret WHERE name = \(name)") { $0.blob(0) }
            }
            guard let value else { throw MissingSecret() }
            return value
        }
        let key = try secret("cursor")
        cursors = CursorSeal(key: key)
        cookieSuccession = CookieSuccession(secret: key)
        logCursors = LogCursorSeal(cursors: cursors, epoch: try secret("epoch"))
        live = LiveHub(database, planner, logCursors, clock: clock, log: log)
        let mail = mail ?? MailSettings(outbox: temporaryFolder + "/outbox")
        self.mail = MailSender(database, mail, publicURL: publicURL, clock: clock, random: random, log: log)
        let gazetteers = currentGazetteer
        let isLand: ImportWorker.LandTest = { gazetteers.hasLand(at: $0, $1) }
        imports = ImportWorker(
            database, folder: importFolder ?? temporaryFolder + "/imports", names: landmarkNames,
            categories: categories, log: log, isLand: gazetteer == nil ? nil : isLand)
        try SearchWords.bringUpToDate(database) { done in
            log.info("making pins searchable", ["pins": String(done)])
        }
    }

    /// For a route that API tokens of a scope may use.
    func needing(_ scope: APIToken.Scope?) -> App {
        var app = self
        app.scope = scope
        return app
    }

    /// The database has lost the key of its cursors.
    struct MissingSecret: Error, CustomStringConvertible {
        var description: String { "the database has lost its secrets; restore it from a backup" }
    }
}

/// Who may sign up.
package enum Registration: String, CaseIterable, Sendable {
    case open
    /// Whoever holds an invite.
    case invite
    case closed
}

/// The signed-in account on whose behalf a request runs.
struct Viewer: Sendable {
    let id: Identifier<User>
    /// What has signed them in. Of an API token it is that one's id, which no session has.
    let session: Identifier<Session>
    let role: Role
}
