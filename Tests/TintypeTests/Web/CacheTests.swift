import Testing

@testable import Serving

@Suite("Caches")
struct CacheTests {
    @Test("A cache holds so many bytes and no more, and keeps what is read")
    func bytes() {
        let cache = Cache<Int, [UInt8]>(capacity: 10_000, bytes: 100_000) { $0.count }
        cache[0] = [UInt8](repeating: 0, count: 1_000)
        for key in 1...10_000 {
            cache[key] = [UInt8](repeating: 0, count: key % 2_000)
            #expect(cache[0] != nil)
            #expect(cache.byteCount <= 100_000)
        }
        #expect(cache[10_000] != nil)
        cache[10_000] = [UInt8](repeating: 0, count: 50_000)
        #expect(cache[10_000] == nil, "one value doesn't drive the others out")
    }

    @Test("A value that is replaced or taken out no longer counts")
    func replaced() {
        let cache = Cache<Int, [UInt8]>(capacity: 8, bytes: 10_000) { $0.count }
        cache[1] = [UInt8](repeating: 0, count: 1_000)
        let first = cache.byteCount
        cache[1] = [UInt8](repeating: 0, count: 500)
        #expect(cache.byteCount == first - 500)
        cache[1] = nil
        #expect(cache.byteCount == 0)
        for key in 0..<100 { cache[key % 10] = [0] }
        #expect(cache.values(0..<10).compactMap { $0 }.count <= 8)
    }
}
