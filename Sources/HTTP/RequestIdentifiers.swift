import Synchronization

/// Identifiers of requests: 16 hexadecimal digits that go on from a random start, so that they are cheap, and those of
/// two runs of a server don't meet.
final class RequestIdentifiers: Sendable {
    private let next = Atomic(UInt64.random(in: .min ... .max))

    func make() -> String {
        var value = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return String(unsafeUninitializedCapacity: 16) { digits in
            for index in stride(from: 15, through: 0, by: -1) {
                let digit = UInt8(value & 15)
                digits[index] = digit < 10 ? 0x30 + digit : 0x61 + digit - 10
                value >>= 4
            }
            return 16
        }
    }
}
