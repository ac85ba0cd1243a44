import Foundation
import Synchronization

/// Drops pins by requests, as apps do: some threads, each with one request under way.
final class BenchPinPoster: Sendable {
    /// A pin on the disk.
    struct Dropped {
        let id: UInt64
        /// Which of the requests.
        let request: Int
        /// When its request was sent and when its answer was there, in seconds of the monotonic clock.
        let sentAt: Double
        let answeredAt: Double
    }

    private struct State {
        var dropped: [Dropped] = []
        var failure: String?
        var running = 0
    }

    private let port: UInt16
    private let state = Mutex(State())
    private let next = Atomic(0)

    init(port: UInt16) {
        self.port = port
    }

    /// Starts to send `count` requests, `inFlight` at a time, each of `pins` pins; more than one go as a batch.
    ///
    /// - Parameters:
    ///   - pace: when requests are sent; nil for as soon as others are answered.
    ///   - token: of the owner of a request's pins.
    func start(
        _ count: Int, inFlight: Int, pins: Int = 1, pace: BenchPace? = nil,
        token: @escaping @Sendable (Int) -> String
    ) {
        state.withLock { $0.running += inFlight }
        let begin = Clock.monotonic()
        for thread in 0..<inFlight {
            Thread { [self] in
                var random = BenchRandom(seed: UInt64(thread))
                let client = BenchClient(port: port)
                var time = begin
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    if index >= count || failure != nil { break }
                    if let pace {
                        time =
                            pace.isEven
                            ? begin + Double(index) / pace.perSecond
                            : time + pace.randomPause(&random) * Double(inFlight)
                        usleep(UInt32(max(0, time - Clock.monotonic()) * 1e6))
                    }
                    post(index, pins, token(index), client)
                }
                state.withLock { $0.running -= 1 }
            }.start()
        }
    }

    private func post(_ index: Int, _ pins: Int, _ token: String, _ client: BenchClient?) {
        let pin = Self.body(index)
        let body = pins == 1 ? pin : "{\"pins\":[" + repeatElement(pin, count: pins).joined(separator: ",") + "]}"
        let sentAt = Clock.monotonic()
        let answer = client?.post(
            pins == 1 ? "/v1/pins" : "/v1/pins/batch", headers: ["Authorization: Bearer \(token)"], body)
        let answeredAt = Clock.monotonic()
        let ids = (answer?.body).map(PinEventReader.created) ?? []
        state.withLock { state in
            if ids.count == pins {
                state.dropped += ids.map { Dropped(id: $0, request: index, sentAt: sentAt, answeredAt: answeredAt) }
            } else {
                let body = answer.map { String(decoding: $0.body.prefix(300), as: UTF8.self) }
                state.failure = "a POST was answered with \(answer?.status ?? 0) \(body ?? "")"
            }
        }
    }

    private static func body(_ index: Int) -> String {
        """
        {"latitude":44.\(9_550_000 + index % 10_000),"longitude":-93.1022,"name":"State Capitol",\
        "address":"75 Rev Dr Martin Luther King Jr Boulevard, Saint Paul","comment":"The dome, and four golden horses.",\
        "rating":5,"category":"culture"}
        """
    }

    private var failure: String? { state.withLock { $0.failure } }

    var isDone: Bool { state.withLock { $0.running == 0 } }

    /// The pins that are on the disk.
    ///
    /// - Throws: `CommandFailure` when a request was refused.
    func dropped() throws -> [Dropped] {
        if let failure { throw CommandFailure(failure) }
        return state.withLock { $0.dropped }
    }
}
