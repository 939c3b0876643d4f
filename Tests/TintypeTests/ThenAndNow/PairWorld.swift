import Foundation
import HTTPTypes
import Imaging
import Testing

@testable import Tintype

extension Person {
    /// Makes a pair, by default of two small pictures, and returns the server's answer.
    ///
    /// - Parameter members: more members of the request's body.
    @discardableResult
    func pair(
        then: String? = nil, now: String? = nil, _ members: [String: JSON] = [:],
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        let past: String
        if let then { past = then } else { past = try await photo(description: "A street with a tram") }
        let match: String
        if let now { match = now } else { match = try await photo(purpose: "rephotograph") }
        var body = members
        body["media_id"] = .text(match)
        if body["past_photo_id"] == nil, body["again_id"] == nil { body["photo_id"] = .text(past) }
        return try await post("/api/v1/rephotographs", json: .object(body), headers: headers)
    }

    /// Makes a pair and returns its identifier.
    func pairID(then: String? = nil, _ members: [String: JSON] = [:]) async throws -> String {
        let answer = try await pair(then: then, members)
        try #require(answer.status == 201, "a pair was refused: \(answer.text)")
        return try #require(answer["id"].string)
    }
}

/// Pictures of a scene with many details, from different standpoints.
enum ScenePicture {
    /// Returns a JPEG of a scene.
    ///
    /// - Parameters:
    ///   - seed: which scene.
    ///   - shift: how far the scene is moved to the right and down, in pixels.
    static func jpeg(_ seed: UInt64, shift: Double = 0) async throws -> [UInt8] {
        let (width, height) = (360, 300)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                let value = brightness(Double(x) - shift, Double(y) - shift, seed)
                pixels += [value, value, UInt8(clamping: Int(value) + 10)]
            }
        }
        return try await TestPicture.jpeg(width: width, height: height, pixels: pixels)
    }

    /// The scene: squares of different sizes and brightness, between which the brightness changes smoothly.
    private static func brightness(_ x: Double, _ y: Double, _ seed: UInt64) -> UInt8 {
        var value = 0.0
        for (size, weight) in [(61.0, 0.4), (23, 0.3), (9, 0.2), (4, 0.1)] {
            let (column, row) = ((x / size).rounded(.down), (y / size).rounded(.down))
            var corners: [Double] = []
            for (across, down) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
                corners.append(chance(Int(column + across), Int(row + down), Int(size), seed))
            }
            let (u, v) = (x / size - column, y / size - row)
            let (top, bottom) = (
                corners[0] + (corners[1] - corners[0]) * u, corners[2] + (corners[3] - corners[2]) * u
            )
            value += weight * (top + (bottom - top) * v)
        }
        return UInt8(clamping: Int(value * 320 - 30))
    }

    /// A number from 0 to 1 that seems to be random.
    private static func chance(_ x: Int, _ y: Int, _ size: Int, _ seed: UInt64) -> Double {
        var state = seed &+ UInt64(bitPattern: Int64(x &* 73_856_093 ^ y &* 19_349_663 ^ size &* 83_492_791))
        // splitmix64, https://prng.di.unimi.it/splitmix64.c
        state = state &+ 0x9E37_79B9_7F4A_7C15
        state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((state ^ (state >> 31)) >> 11) / Double(1 << 53)
    }
}
