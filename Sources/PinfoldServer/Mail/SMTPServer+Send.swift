import CCurl
import Foundation

extension SMTPServer {
    /// In seconds.
    private static let connectTime = 20
    private static let transferTime = 90
    /// curl is set up once for the process.
    private static let isReady = ccurl_initialize() == CURLE_OK

    /// Hands one message to the server; blocks until it has taken it.
    ///
    /// - Parameters:
    ///   - greeting: what this machine calls itself (`EHLO`).
    ///   - isCancelled: asked about every second.
    /// - Throws: `MailFailure`.
    func send(
        _ message: [UInt8], from sender: MailAddress, to recipient: MailAddress, greeting: String,
        isCancelled: @escaping () -> Bool
    ) throws {
        guard Self.isReady, let curl = curl_easy_init() else {
            throw MailFailure(reason: "curl cannot start", isFinal: false)
        }
        defer { curl_easy_cleanup(curl) }
        let recipients = curl_slist_append(nil, recipient.text)
        defer { curl_slist_free_all(recipients) }
        let upload = Upload(message, isCancelled)
        let context = Unmanaged.passUnretained(upload).toOpaque()

        // The last part of the URL is what curl says in EHLO.
        try check(ccurl_set_text(curl, CURLOPT_URL, "\(description)/\(greeting)"), curl)
        try check(ccurl_set_text(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps"), curl)
        try check(ccurl_set_text(curl, CURLOPT_PROXY, ""), curl)
        if let user, let password {
            try check(ccurl_set_text(curl, CURLOPT_USERNAME, user), curl)
            try check(ccurl_set_text(curl, CURLOPT_PASSWORD, password), curl)
        }
        let tls = isTLSFromStart || !isLoopback ? CURLUSESSL_ALL : CURLUSESSL_NONE
        let numbers: [(option: CURLoption, value: Int)] = [
            (CURLOPT_USE_SSL, Int(tls.rawValue)), (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            (CURLOPT_UPLOAD, 1), (CURLOPT_INFILESIZE, message.count), (CURLOPT_NOSIGNAL, 1), (CURLOPT_NOPROGRESS, 0),
            (CURLOPT_CONNECTTIMEOUT, Self.connectTime), (CURLOPT_TIMEOUT, Self.transferTime),
        ]
        for (option, value) in numbers { try check(ccurl_set_number(curl, option, value), curl) }
        try check(ccurl_set_text(curl, CURLOPT_MAIL_FROM, sender.text), curl)
        try check(ccurl_set_list(curl, CURLOPT_MAIL_RCPT, recipients), curl)
        let read: curl_read_callback = { buffer, size, count, context in
            guard let buffer, let context else { return 0 }
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
            return Unmanaged<Upload>.fromOpaque(context).takeUnretainedValue().read(into: room)
        }
        try check(ccurl_set_source(curl, read, context), curl)
        let progress: curl_xferinfo_callback = { context, _, _, _, _ in
            guard let context else { return 0 }
            return Unmanaged<Upload>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
        }
        try check(ccurl_set_progress(curl, progress, context), curl)
        try withExtendedLifetime(upload) { try check(curl_easy_perform(curl), curl) }
    }

    /// - Throws: `MailFailure` in curl's general words: its particular ones may hold an address.
    private func check(_ result: CURLcode, _ curl: UnsafeMutableRawPointer) throws {
        guard result != CURLE_OK else { return }
        let reply = ccurl_reply_code(curl)
        let words = curl_easy_strerror(result).map { String(cString: $0) } ?? "error \(result.rawValue)"
        // A 5yz to the sender, the recipient or the message is for good (RFC 5321, 4.2.1); a login that is refused may
        // be mended.
        let isRefusal = [CURLE_SEND_ERROR, CURLE_WEIRD_SERVER_REPLY].contains(result) && (550...559).contains(reply)
        throw MailFailure(reason: reply == 0 ? words : "\(words) (the server said \(reply))", isFinal: isRefusal)
    }

    /// What curl reads the message from.
    private final class Upload {
        private let message: [UInt8]
        private var offset = 0
        let isCancelled: () -> Bool

        init(_ message: [UInt8], _ isCancelled: @escaping () -> Bool) {
            self.message = message
            self.isCancelled = isCancelled
        }

        func read(into room: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(room.count, message.count - offset)
            message[offset..<offset + count].withUnsafeBytes { room.copyMemory(from: $0) }
            offset += count
            return count
        }
    }
}
