/// The texts of notifications: `NODE START NUMBER MARK TEXT`. Several messages are in one, a line each, and a long one is
/// in several.
struct NodeFrames {
    /// The most bytes of a notification's text: PostgreSQL takes less than 8,000.
    private static let length = 7_900
    /// The most bytes of messages that were begun by one process.
    private static let capacity = 8 * 1024 * 1024

    /// What ends a frame's text.
    private enum Mark: Character {
        /// The messages are complete.
        case complete = "."
        /// They go on in the next frame.
        case more = "+"
        /// Messages were lost.
        case gap = "!"
        /// The process has sent everything and ends.
        case end = "x"
    }

    /// What is known of another process.
    private struct Sender {
        var start: UInt64
        var number: Int
        var begun = ""
    }

    private let node: Int
    /// A number that no earlier process of this node had.
    private let start = UInt64.random(in: .min ... .max)
    /// The number of the last frame. No two frames are equal: PostgreSQL delivers equal ones once.
    private var number = 0
    /// The frames that weren't surely sent. Sent again, they are known by their numbers.
    var unsent: [String] = []
    private var senders: [Int: Sender] = [:]

    init(node: Int) { self.node = node }

    /// Adds messages to the frames that are to be sent.
    mutating func add(_ messages: [String]) {
        guard !messages.isEmpty else { return }
        var rest = Substring(messages.joined(separator: "\n")).utf8
        while rest.count > Self.length {
            var end = rest.index(rest.startIndex, offsetBy: Self.length)
            // Not within a character: bytes that continue one begin with the bits 10.
            while rest[end] & 0b1100_0000 == 0b1000_0000 { end = rest.index(before: end) }
            add(.more, Substring(rest[..<end]))
            rest = rest[end...]
        }
        add(.complete, Substring(rest))
    }

    /// Adds that messages were dropped.
    mutating func addGap() { add(.gap, "") }

    /// Adds that this process ends, and nothing of it is missing.
    mutating func addEnd() { add(.end, "") }

    private mutating func add(_ mark: Mark, _ text: Substring) {
        number += 1
        unsent.append("\(node) \(start) \(number) \(mark.rawValue) \(text)")
    }

    /// Returns what a received frame completes; nothing for a frame of this process, or one that has arrived before.
    mutating func arrivals(in frame: String) -> [NodeChannel.Arrival] {
        // By bytes: a text may begin with a character that joins the space before it.
        let parts = frame.utf8.split(
            separator: UInt8(ascii: " "), maxSplits: 4, omittingEmptySubsequences: false
        ).map { Substring($0) }
        guard parts.count == 5, let node = Int(parts[0]), let start = UInt64(parts[1]),
            let number = Int(parts[2]), number > 0, let mark = Mark(rawValue: parts[3].first ?? "?")
        else { return [.gap] }
        guard start != self.start else { return [] }
        if mark == .end {
            senders[node] = nil
            return []
        }
        var sender = senders[node] ?? Sender(start: start, number: number - 1)
        var arrivals: [NodeChannel.Arrival] = []
        if sender.start != start {
            // Another process has the number of one that was killed.
            arrivals = [.gap]
            sender = Sender(start: start, number: number - 1)
        }
        defer { senders[node] = sender }
        guard number > sender.number else { return [] }
        let isNext = number == sender.number + 1
        sender.number = number
        guard isNext, mark != .gap, sender.begun.utf8.count + parts[4].utf8.count < Self.capacity else {
            sender.begun = ""
            return [.gap]
        }
        sender.begun += parts[4]
        guard mark == .complete else { return arrivals }
        defer { sender.begun = "" }
        return arrivals + sender.begun.split(separator: "\n").map { .message(String($0)) }
    }
}
