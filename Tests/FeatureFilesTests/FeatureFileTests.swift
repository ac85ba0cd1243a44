import Testing

@testable import FeatureFiles

@Suite struct FeatureFileTests {
    @Test func `what is no file of any known format is refused`() throws {
        #expect(throws: FeatureFileFault.self) { try FeatureFile(path: "/dev/null", FeatureFile.Options()) }
    }
}
