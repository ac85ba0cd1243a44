import Foundation

/// How something is spread over time.
struct BenchPace {
    let perSecond: Double
    /// One after the other, else at random times, of which several may come close together (a Poisson process).
    let isEven: Bool

    /// Seconds between two at random times.
    func randomPause(_ random: inout BenchRandom) -> Double { -log(1 - random.unit()) / perSecond }
}
