import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One answer whose body is read as it comes. (`URLSession.bytes` is not there on every platform.)
///
/// What the reader has not taken yet is held in memory, up to `pieceLimit` pieces as the network gave them; a reader who
/// is further behind is cut off.
final class ByteStream: NSObject, URLSessionDataDelegate, Sendable {
    /// The reader took too long.
    struct TooSlow: Error {}

    private static let pieceLimit = 1024

    private let heads: AsyncThrowingStream<HTTPURLResponse, any Error>
    private let head: AsyncThrowingStream<HTTPURLResponse, any Error>.Continuation
    private let body: AsyncThrowingStream<Data, any Error>
    private let pieces: AsyncThrowingStream<Data, any Error>.Continuation

    private override init() {
        (heads, head) = AsyncThrowingStream.makeStream()
        (body, pieces) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(Self.pieceLimit))
    }

    /// Sends a request and waits for the head of its answer. The connection ends when nobody reads the body any more.
    static func open(
        _ request: URLRequest, _ configuration: URLSessionConfiguration
    ) async throws -> (head: HTTPURLResponse, body: AsyncThrowingStream<Data, any Error>) {
        let stream = ByteStream()
        // The session holds its delegate until it is ended here.
        let session = URLSession(configuration: configuration, delegate: stream, delegateQueue: nil)
        stream.pieces.onTermination = { _ in session.invalidateAndCancel() }
        return try await withTaskCancellationHandler {
            session.dataTask(with: request).resume()
            for try await head in stream.heads { return (head, stream.body) }
            throw CancellationError()
        } onCancel: {
            stream.finish(CancellationError())
        }
    }

    private func finish(_ error: (any Error)?) {
        head.finish(throwing: error ?? URLError(.badServerResponse))
        pieces.finish(throwing: error)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else {
            completionHandler(.cancel)
            return
        }
        head.yield(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if case .dropped = pieces.yield(data) { finish(TooSlow()) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finish(error)
    }
}
