import Foundation

/// Numbers that look random and are the same everywhere: SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable
/// pseudorandom number generators, OOPSLA 2014).
struct BenchRandom {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    /// 0 up to 1, without 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(max(limit, 1))) }

    /// Of the normal distribution (G. E. P. Box, M. E. Muller, 1958).
    mutating func normal() -> Double { (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit()) }

    /// Of the Pareto distribution from 1, whose exponent 1.6 gives a few the most.
    mutating func powerLaw() -> Double { pow(1 - unit(), -1 / 1.6) }
}

/// Picks indices in proportion to their weights.
struct BenchChoice {
    private var sums: [Double] = []

    init(_ weights: [Double]) {
        sums.reserveCapacity(weights.count)
        var sum = 0.0
        for weight in weights {
            sum += weight
            sums.append(sum)
        }
    }

    func pick(_ random: inout BenchRandom) -> Int {
        let wanted = random.unit() * (sums.last ?? 0)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > wanted { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
