import Testing

@testable import Core
@testable import Serving

@Suite("Addresses that may be asked")
struct NetworkAddressTests {
    @Test(
        "Those of the public internet",
        arguments: [
            "1.1.1.1", "8.8.8.8", "91.198.174.192", "100.63.255.255", "100.128.0.0", "172.15.255.255",
            "172.32.0.1", "192.0.1.1", "192.167.1.1", "198.17.1.1", "198.20.0.1", "223.255.255.255",
            "2606:4700:4700::1111", "2a02:ec80:300:ed1a::1", "2001:200::1", "2400::1", "3ffe::1",
        ])
    func open(address: String) throws {
        #expect(try #require(NetworkAddress(address)).isPublic)
    }

    @Test(
        "Nothing of this computer, of private networks, or that leads there",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
            "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1",
            "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9",
            "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1",
            "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1",
            "2001:db8::1", "2001:10::1", "2002:7f00:1::", "2002:c0a8:1::1", "3fff::1", "fc00::1", "fd12::1",
            "fe80::1", "febf::1", "fec0::1", "ff02::1", "5f00::1",
        ])
    func closed(address: String) throws {
        #expect(try !#require(NetworkAddress(address)).isPublic)
    }

    @Test("Are read in the notations that name one, and in no other")
    func notations() {
        #expect(NetworkAddress("127.0.0.1")?.description == "127.0.0.1")
        #expect(NetworkAddress("2001:DB8:0:0::1")?.description == "2001:db8::1")
        for text in ["", "127.1", "0x7f.0.0.1", "1.2.3.4.5", "example.org", "fe80::1%eth0", "[::1]"] {
            #expect(NetworkAddress(text) == nil, "\(text)")
        }
        #expect(NetworkAddress(bytes: [1, 2, 3]) == nil)
    }
}

@Suite("URLs that may be asked")
struct OutgoingURLTests {
    @Test(
        "Have http or https and a host",
        arguments: [
            ("https://example.org", "example.org"), ("http://EXAMPLE.org:8080/a?b=c#d", "example.org"),
            ("https://[2606:4700::1111]/x", "2606:4700::1111"), ("http://127.1/", "127.1"),
        ])
    func good(text: String, host: String) throws {
        let url = try OutgoingURL(text)
        #expect(url.host == host)
        #expect(!url.text.contains("#"))
    }

    @Test(
        "Have no other scheme, no user and no strange host",
        arguments: [
            "", "example.org", "/a", "ftp://example.org", "file:///etc/passwd", "gopher://example.org",
            "http://", "http:///a", "http://user@example.org", "http://user:secret@example.org",
            "http://[::1%25lo]/", "http://exa%6dple.org/", "http://example.org:0/", "http://a b/",
            "http://[x]/",
            "http://a.example\\@b.example/", "http+unix://%2Ftmp/x", "javascript:alert(1)",
        ])
    func bad(text: String) {
        #expect(throws: OutgoingError.badURL) { try OutgoingURL(text) }
    }

    @Test("A redirect is read from where it comes, and never leaves encryption")
    func redirects() throws {
        let url = try OutgoingURL("https://example.org/a/b?c")
        #expect(try url.redirected(to: "d").text == "https://example.org/a/d")
        #expect(try url.redirected(to: "//other.example/e").text == "https://other.example/e")
        #expect(throws: OutgoingError.badRedirect) { try url.redirected(to: "http://example.org/") }
        #expect(throws: OutgoingError.badURL) { try url.redirected(to: "file:///etc/passwd") }
    }
}
