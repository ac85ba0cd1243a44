import HTTP
import Synchronization

/// A token bucket for each key: `burst` tries at once, then one more every `interval`.
///
/// Buckets live in memory and a full one is forgotten; past `capacity` keys the stalest go first.
final class Throttle<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var at: Int64
    }

    private let burst: Double
    private let interval: Double
    private let capacity: Int
    private let buckets = Mutex<[Key: Bucket]>([:])

    /// - Parameters:
    ///   - interval: milliseconds after which one more try is let through.
    init(burst: Int, interval: Int, capacity: Int = 100_000) {
        self.burst = Double(burst)
        self.interval = Double(interval)
        self.capacity = capacity
    }

    /// Takes one try of `key` at `now` (milliseconds).
    ///
    /// - Returns: nil when it is let through, else the milliseconds until the next one is.
    func take(_ key: Key, at now: Int64) -> Int? {
        buckets.withLock { buckets in
            var bucket = refilled(buckets[key], now)
            guard bucket.tokens >= 1 else { return Int(((1 - bucket.tokens) * interval).rounded(.up)) }
            bucket.tokens -= 1
            if buckets.count >= capacity, buckets[key] == nil { forget(&buckets, now) }
            buckets[key] = bucket
            return nil
        }
    }

    /// Gives one try back: what it was taken for turned out well.
    func giveBack(_ key: Key) {
        buckets.withLock { buckets in
            guard var bucket = buckets[key] else { return }
            bucket.tokens = min(burst, bucket.tokens + 1)
            buckets[key] = bucket
        }
    }

    private func refilled(_ bucket: Bucket?, _ now: Int64) -> Bucket {
        guard let bucket else { return Bucket(tokens: burst, at: now) }
        let elapsed = Double(max(0, now - bucket.at))
        return Bucket(tokens: min(burst, bucket.tokens + elapsed / interval), at: now)
    }

    private func forget(_ buckets: inout [Key: Bucket], _ now: Int64) {
        buckets = buckets.filter { refilled($0.value, now).tokens < burst }
        guard buckets.count >= capacity else { return }
        let stalest = buckets.sorted { $0.value.at < $1.value.at }.prefix(capacity / 10 + 1)
        for (key, _) in stalest { buckets[key] = nil }
    }
}

/// How often one may try to sign in or sign up, or ask for a new password.
///
/// Nobody can lock another out: what an attacker spends is counted against the attacker's own addresses. When one
/// account is attacked from many addresses, its shared bucket runs dry; then an address that the account has signed in
/// from before still passes, and any other has a first try or two.
final class SignInThrottle: Sendable {
    private struct Attempt: Hashable, Sendable {
        let login: String
        let network: IPAddress
    }

    private let byAddress = Throttle<IPAddress>(burst: 30, interval: 2_000)
    private let byLoginAndAddress = Throttle<Attempt>(burst: 10, interval: 15_000)
    private let byLogin = Throttle<String>(burst: 60, interval: 10_000)
    private let firstTries = Throttle<Attempt>(burst: 2, interval: 600_000)
    private let signUps = Throttle<IPAddress>(burst: 20, interval: 30_000)
    private let resetsByAddress = Throttle<IPAddress>(burst: 10, interval: 60_000)
    private let resetsByEmail = Throttle<String>(burst: 4, interval: 900_000)
    private let isOn: Bool

    init(isOn: Bool) {
        self.isOn = isOn
    }

    /// Lets a try to sign in through or not.
    ///
    /// - Parameter isKnown: whether this account has signed in from this address before; asked only under attack.
    /// - Throws: `HTTPError` 429 with `Retry-After`.
    func admitSignIn(_ login: String, from address: IPAddress, at now: Int64, isKnown: () throws -> Bool) throws {
        guard isOn else { return }
        let network = address.network
        let attempt = Attempt(login: login, network: network)
        try refuse(byAddress.take(network, at: now))
        try refuse(byLoginAndAddress.take(attempt, at: now))
        guard let wait = byLogin.take(login, at: now) else { return }
        if try isKnown() { return }
        if firstTries.take(attempt, at: now) == nil { return }
        try refuse(wait)
    }

    /// A sign-in that succeeded counts against nobody.
    func signedIn(_ login: String, from address: IPAddress) {
        guard isOn else { return }
        byAddress.giveBack(address.network)
        byLoginAndAddress.giveBack(Attempt(login: login, network: address.network))
        byLogin.giveBack(login)
    }

    /// - Throws: `HTTPError` 429 with `Retry-After`.
    func admitSignUp(from address: IPAddress, at now: Int64) throws {
        guard isOn else { return }
        try refuse(signUps.take(address.network, at: now))
    }

    /// Lets somebody ask for a new password or not; the account is known by its e-mail address, whether there is one or
    /// not. Who uses up another's tries has sent them as many messages, of which the last works.
    ///
    /// - Throws: `HTTPError` 429 with `Retry-After`.
    func admitReset(of emailFolded: String, from address: IPAddress, at now: Int64) throws {
        guard isOn else { return }
        try refuse(resetsByAddress.take(address.network, at: now))
        try refuse(resetsByEmail.take(emailFolded, at: now))
    }

    private func refuse(_ wait: Int?) throws {
        guard let wait else { return }
        throw HTTPError.tooManyRequests(retryAfter: max(1, (wait + 999) / 1000))
    }
}
