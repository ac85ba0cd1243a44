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

    // Not the streams themselves: they end when their last reader goes, and the delegate lives longer.
    private let head: AsyncThrowingStream<HTTPURLResponse, any Error>.Continuation
    private let pieces: AsyncThrowingStream<Data, any Error>.Continuation

    private init(
        _ head: AsyncThrowingStream<HTTPURLResponse, any Error>.Continuation,
        _ pieces: AsyncThrowingStream<Data, any Error>.Continuation
    ) {
        self.head = head
        self.pieces = pieces
    }

    /// Sends a request and waits for the head of its answer. The connection ends when nobody reads the body any more.
    static func open(
        _ request: URLRequest, _ configuration: URLSessionConfiguration
    ) async throws -> (head: HTTPURLResponse, body: AsyncThrowingStream<Data, any Error>) {
        let (heads, head) = AsyncThrowingStream<HTTPURLResponse, any Error>.makeStream()
        let (body, pieces) = AsyncThrowingStream<Data, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(pieceLimit))
        let stream = ByteStream(head, pieces)
        // The session holds its delegate until it is ended here.
        let session = URLSession(configuration: configuration, delegate: stream, delegateQueue: nil)
        pieces.onTermination = { _ in session.invalidateAndCancel() }
        return try await withTaskCancellationHandler {
            session.dataTask(with: request).resume()
            for try await head in heads { return (head, body) }
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
