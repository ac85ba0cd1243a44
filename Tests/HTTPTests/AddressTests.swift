import Testing

@testable import HTTP

@Suite struct AddressTests {
    @Test func readsAndWritesAddresses() {
        #expect(IPAddress("192.0.2.1")?.description == "192.0.2.1")
        #expect(IPAddress("2001:DB8:0:0:0:0:0:1")?.description == "2001:db8::1")
        #expect(IPAddress("::ffff:192.0.2.1") == IPAddress("192.0.2.1"))
        for text in [
            "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "::1%lo", "[::1]", "1.2.3.4\0", " 1.2.3.4", "a",
        ] {
            #expect(IPAddress(text) == nil, "\(text)")
        }
    }

    @Test func knowsLoopbackAndNetwork() throws {
        #expect(IPAddress("127.9.9.9")?.isLoopback == true)
        #expect(IPAddress("::1")?.isLoopback == true)
        #expect(IPAddress("::2")?.isLoopback == false)
        #expect(IPAddress("2001:db8:1:2:3:4:5:6")?.network == IPAddress("2001:db8:1:2::"))
        #expect(IPAddress("192.0.2.1")?.network == IPAddress("192.0.2.1"))
    }

    @Test func blocksHoldWhatSharesTheirPrefix() throws {
        for bits in 0...32 {
            let base = UInt32.random(in: .min ... .max) & (bits == 0 ? 0 : UInt32.max << UInt32(32 - bits))
            let block = try #require(CIDRBlock("\(address(base))/\(bits)"))
            #expect(block.contains(address(base)))
            #expect(block.contains(address(bits == 32 ? base : base | (UInt32.max >> UInt32(bits)))))
            if bits > 0 { #expect(!block.contains(address(base ^ (1 << UInt32(32 - bits))))) }
        }
        #expect(CIDRBlock("2001:db8::/33")?.contains(try #require(IPAddress("2001:db8:7fff::1"))) == true)
        #expect(CIDRBlock("2001:db8::/33")?.contains(try #require(IPAddress("2001:db8:8000::1"))) == false)
        #expect(CIDRBlock("::/0")?.contains(.loopback) == false)
        for text in ["10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/+8", "10.0.0.0/8/8", "x/8", "::/129"] {
            #expect(CIDRBlock(text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        ([], "10.0.0.1"),
        (["1.1.1.1"], "1.1.1.1"),
        (["6.6.6.6, 1.1.1.1"], "1.1.1.1"),
        (["6.6.6.6, 1.1.1.1, 10.0.0.2"], "1.1.1.1"),
        (["6.6.6.6", "1.1.1.1,10.0.0.2"], "1.1.1.1"),
        (["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        (["1.1.1.1, junk"], "10.0.0.1"),
        (["junk, 10.0.0.2"], "10.0.0.2"),
        (["1.1.1.1:4711"], "1.1.1.1"),
        (["[2001:db8::1]:4711"], "2001:db8::1"),
        (["2001:db8::1"], "2001:db8::1"),
        ([""], "10.0.0.1"),
    ])
    func clientIsTheFirstUntrustedHopFromTheRight(fields: [String], client: String) throws {
        let trusted = try [#require(CIDRBlock("10.0.0.0/8"))]
        let peer = try #require(IPAddress("10.0.0.1"))
        #expect(trusted.client(peer: peer, forwardedFor: fields).description == client)
        let stranger = try #require(IPAddress("9.9.9.9"))
        #expect(trusted.client(peer: stranger, forwardedFor: fields) == stranger)
    }

    @Test func comparesEntityTags() {
        #expect(EntityTag.matches("*", "\"a\""))
        #expect(EntityTag.matches("\"a\"", "\"a\""))
        #expect(EntityTag.matches("W/\"a\"", "\"a\""))
        #expect(EntityTag.matches("\"x,\" , \"a\"", "\"a\""))
        for list in ["", "a", "\"a", "\"b\"", "\"x,\"a\"", ",,", "\"A\""] {
            #expect(!EntityTag.matches(list, "\"a\""), "\(list)")
        }
    }

    private func address(_ value: UInt32) -> IPAddress {
        IPAddress(bytes: withUnsafeBytes(of: value.bigEndian) { Array($0) })
    }
}
