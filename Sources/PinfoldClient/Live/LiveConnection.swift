import Foundation
import SocialModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What happens, as it happens, in order and each event once: Server-Sent Events that go on where they were after the
/// connection broke or the app was away.
///
/// ```swift
/// for try await event in client.live(resumingFrom: cache) { … }
/// ```
///
/// It comes back for as long as its reader reads. It ends by throwing: `PinfoldError` with `isCursorExpired` when the
/// server no longer knows what happened since the cursor (ask for the pins again, then start without it),
/// `PinfoldError.signedOut`, another refusal, or `CancellationError`. An event's cursor is kept when the reader asks for
/// the next one, and so has dealt with it.
///
/// One reader reads it. The connection is opened by the first `next()`, and closed when the iterator goes.
public struct LiveConnection: AsyncSequence, Sendable {
    public typealias Element = LiveEvent

    let client: PinfoldClient
    let cursors: any CursorStore

    /// A connection of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(client: client, cursors: cursors) }

    /// Reads the connection; gone, it closes it.
    public struct Iterator: AsyncIteratorProtocol {
        private let client: PinfoldClient
        private let cursors: any CursorStore
        private var pieces: AsyncThrowingStream<Data, any Error>.Iterator?
        private var parser = ServerSentEventParser()
        private var ready: ArraySlice<LiveEvent> = []
        /// Where to go on; behind all that is in `ready`.
        private var position: String?
        /// Why the connection has ended, once `ready` is empty.
        private var ending: PinfoldError?
        /// Of the event that the reader has now.
        private var delivered: String?
        private var hasBegun = false
        /// Tries in a row that brought nothing.
        private var failures = 0
        /// The least wait that the server has asked for.
        private var pause = Duration.zero

        init(client: PinfoldClient, cursors: any CursorStore) {
            self.client = client
            self.cursors = cursors
        }

        /// The next event, however long that takes; never nil.
        public mutating func next() async throws -> LiveEvent? {
            if let delivered { try await cursors.keep(delivered) }
            delivered = nil
            if !hasBegun {
                position = try await cursors.cursor()
                hasBegun = true
            }
            while true {
                try Task.checkCancellation()
                if let event = ready.popFirst() {
                    delivered = event.cursor
                    return event
                }
                do {
                    if let ending { throw ending }
                    try await readOn()
                } catch let error as PinfoldError {
                    try await recover(from: error)
                }
            }
        }

        /// Takes what the connection has next; opens one if there is none.
        private mutating func readOn() async throws {
            guard pieces != nil else {
                try await open()
                return
            }
            do {
                guard let piece = try await pieces?.next() else { throw URLError(.networkConnectionLost) }
                let messages = try parser.consume(piece)
                let end = messages.firstIndex { $0.type == "close" } ?? messages.endIndex
                ready += messages[..<end].map(LiveEvent.init)
                if end < messages.endIndex { ending = Self.ending(messages[end]) }
                if !parser.lastEventID.isEmpty { position = parser.lastEventID }
                // Bytes have come: heartbeats too show that the server is well.
                failures = 0
            } catch let error as PinfoldError {
                throw error
            } catch {
                try Task.checkCancellation()
                throw PinfoldError.noAnswer(error)
            }
        }

        private mutating func open() async throws {
            var token = try await client.session.accessToken()
            var (head, body) = try await answer(token: token)
            if head.statusCode == 401 {
                token = try await client.session.accessToken(insteadOf: token)
                (head, body) = try await answer(token: token)
            }
            guard head.statusCode == 200 else { throw try await Self.refusal(head, body) }
            parser = ServerSentEventParser()
            pieces = body.makeAsyncIterator()
            pause = .zero
        }

        private func answer(
            token: String
        ) async throws -> (head: HTTPURLResponse, body: AsyncThrowingStream<Data, any Error>) {
            var call = Call(.get, "/v1/events").with("Accept", "text/event-stream").query("after", position)
            if let position { call = call.with("Last-Event-ID", position) }
            var request = try client.transport.request(call, token: token)
            request.timeoutInterval = client.configuration.liveTimeout
            do { return try await ByteStream.open(request, client.transport.configuration()) } catch {
                try Task.checkCancellation()
                throw PinfoldError.noAnswer(error)
            }
        }

        /// Waits where coming back may help, and throws the error where it cannot.
        private mutating func recover(from error: PinfoldError) async throws {
            pieces = nil
            ending = nil
            switch error {
            case .noAnswer: break
            case .refused(let problem, let retryAfter):
                guard [408, 429].contains(problem.status) || problem.status >= 500 else { throw error }
                pause = .seconds(retryAfter ?? 0)
            case .unreadable(let status, _) where [408, 429].contains(status) || status >= 500: break
            case .unreadable, .signedOut, .cursorExpired, .invalidInput: throw error
            }
            let asked = Duration.milliseconds(parser.retry.map { $0 > 60_000 ? 60_000 : $0 } ?? 0)
            if asked > pause { pause = asked }
            let wait = pause + client.configuration.retry.backoff(failures)
            failures += 1
            try await Task.sleep(for: wait)
        }

        private static func refusal(
            _ head: HTTPURLResponse, _ body: AsyncThrowingStream<Data, any Error>
        ) async throws -> PinfoldError {
            var data = Data()
            do {
                for try await piece in body where data.count < 1 << 16 { data += piece }
            } catch { throw PinfoldError.noAnswer(error) }
            return Reply(head, body: data).error
        }

        /// What the server's farewell means: the codes are those of its WebSockets.
        private static func ending(_ message: ServerSentEvent) -> PinfoldError {
            let close = try? JSONDecoder().decode(ServerClosed.self, from: Data(message.data.utf8))
            return close?.code == 4410 ? .cursorExpired : .noAnswer(close ?? ServerClosed(code: 1006, reason: ""))
        }
    }
}

/// The server has closed a live connection, for a reason of RFC 6455, 7.4, or one of its own.
struct ServerClosed: Error, Decodable {
    let code: Int
    let reason: String
}

extension PinfoldClient {
    /// What happens from the cursor on that `cursors` has, or from now on if it has none.
    public func live(resumingFrom cursors: any CursorStore = MemoryCursorStore()) -> LiveConnection {
        LiveConnection(client: self, cursors: cursors)
    }
}
