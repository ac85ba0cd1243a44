import Foundation

/// What each of many clients has received: how many messages, whether in order, and the sum of their numbers, which together
/// tell whether it was each message once.
struct BenchTally {
    private struct Received {
        var count = 0
        var sum: UInt64 = 0
        var last: UInt64 = 0
        var isOrdered = true
    }

    private var received: [Received]
    /// Of all clients.
    private(set) var total = 0

    init(clients: Int) {
        received = Array(repeating: Received(), count: clients)
    }

    /// - Parameter number: of the message; they grow.
    mutating func note(_ number: UInt64, by client: Int) {
        total += 1
        received[client].count += 1
        received[client].sum &+= number
        if number <= received[client].last { received[client].isOrdered = false }
        received[client].last = number
    }

    /// How many of the clients have not received exactly `numbers`, in order.
    func faulty(_ clients: Range<Int>, expecting numbers: (Int) -> [UInt64]) -> Int {
        clients.count { client in
            let expected = numbers(client)
            let got = received[client]
            return !got.isOrdered || got.count != expected.count || got.sum != expected.reduce(0, &+)
        }
    }
}

/// Finds the number of a pin in an event that tells of it.
struct PinEventReader {
    /// Where it was in the event before: mostly it is there again.
    private var place = 0
    private static let start = Array(#"{"type":"pin.created""#.utf8)
    private static let mark = Array(#""pin":{"id":""#.utf8)

    /// Nil for other events.
    mutating func id(_ event: UnsafeRawBufferPointer) -> UInt64? {
        guard let base = event.baseAddress, event.count > Self.start.count + Self.mark.count,
            memcmp(base, Self.start, Self.start.count) == 0
        else { return nil }
        if place + Self.mark.count >= event.count || memcmp(base + place, Self.mark, Self.mark.count) != 0 {
            let places = 0..<(event.count - Self.mark.count)
            guard let found = places.first(where: { memcmp(base + $0, Self.mark, Self.mark.count) == 0 }) else {
                return nil
            }
            place = found
        }
        return number(event[(place + Self.mark.count)...])
    }

    /// The digits that stand there.
    private func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
        var number: UInt64 = 0
        for byte in bytes {
            guard byte &- 0x30 < 10 else { break }
            number = number &* 10 &+ UInt64(byte &- 0x30)
        }
        return number
    }

    /// The numbers of the pins that the answer to a POST tells of.
    static func created(in answer: [UInt8]) -> [UInt64] {
        let text = String(decoding: answer, as: UTF8.self)
        if text.hasPrefix(#"{"results":"#) {
            return text.components(separatedBy: #"{"status":201,"id":""#).dropFirst().compactMap(leadingNumber)
        }
        return text.components(separatedBy: #""id":""#).dropFirst().prefix(1).compactMap(leadingNumber)
    }

    private static func leadingNumber(_ text: String) -> UInt64? { UInt64(text.prefix { $0 != "\"" }) }
}
