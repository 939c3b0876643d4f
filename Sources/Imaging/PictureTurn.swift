/// The owner of a piece of work, and whether somebody waits for it.
public struct PictureTurn: Hashable, Sendable {
    /// The owner who is charged for the work.
    public var owner: PictureOwner
    /// Whether somebody waits for the work.
    public var urgency: Urgency

    /// Creates a turn of an owner.
    public init(_ owner: PictureOwner, _ urgency: Urgency = .background) {
        self.owner = owner
        self.urgency = urgency
    }

    /// Whether somebody waits for a piece of work.
    public enum Urgency: Int, Hashable, Sendable, Comparable {
        /// Nobody waits.
        case background
        /// An open page or an app waits for the answer.
        case awaited

        /// Returns whether the first one comes after the second.
        public static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
    }
}

/// Someone for whom pictures are processed. Owners share the workers fairly.
public struct PictureOwner: Hashable, Sendable {
    private let name: String

    /// - Parameter name: differs between owners.
    public init(_ name: String) {
        self.name = name
    }

    /// The server itself.
    public static let server = PictureOwner("server")
}

/// The limits of one owner at the workers for pictures. Seconds are seconds of processor time.
public struct OwnerLimits: Hashable, Sendable {
    /// The most jobs that wait.
    public var waiting: Int
    /// The most seconds that may be used and claimed before the owner is refused.
    public var seconds: Double
    /// The seconds of ``seconds`` that come back in each second.
    public var secondsPerSecond: Double
    /// A job that takes longer is heavy, and heavy jobs never have all workers.
    public var lightJob: Double
    /// All jobs of an owner who has used more than this lately are heavy.
    public var lightUse: Double

    package init(
        waiting: Int, seconds: Double, secondsPerSecond: Double, lightJob: Double, lightUse: Double
    ) {
        self.waiting = waiting
        self.seconds = seconds
        self.secondsPerSecond = secondsPerSecond
        self.lightJob = lightJob
        self.lightUse = lightUse
    }

    /// For a program of a single owner: nothing is limited.
    public static let none = OwnerLimits(
        waiting: .max / 2, seconds: .infinity, secondsPerSecond: 1, lightJob: .infinity, lightUse: .infinity)

    /// For a server of many people.
    ///
    /// A 12-megapixel JPEG takes a quarter of a second and a HEIC 0.8 (`Benchmarks/imaging`). So the 300 uploads that a
    /// person has in half an hour fit into the budget, and what comes back in that time is 450 seconds.
    public static let shared = OwnerLimits(
        waiting: 8, seconds: 600, secondsPerSecond: 0.25, lightJob: 2, lightUse: 10)
}
