import Core
import Hummingbird
import Imaging
import People
import Serving
import Storage

/// JSON routes of Then & Now (Documentation/Interface.md, "Then & Now").
struct PairAPI {
    let pairs: PairService
    let entities: PairEntities

    func add(to router: Router<AppContext>) {
        router.post("api/v1/rephotographs", use: make)
        router.get("api/v1/rephotographs/:id") { request, context in
            try await answer(request, context) { viewer, id in try await pairs.pair(id, for: viewer) }
        }
        router.patch("api/v1/rephotographs/:id", use: change)
        router.post("api/v1/rephotographs/:id/align", use: align)
        router.delete("api/v1/rephotographs/:id/align") { request, context in
            try await answer(request, context) { viewer, id in
                try await pairs.undoAlignment(of: id, by: viewer)
            }
        }
    }

    private func make(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try IdempotencyKey.read(request, scope: "pair")
        let recipe = try Self.recipe(try await Input.read(request, context))
        let pair = try await pairs.make(recipe, by: viewer, key: key)
        return .json(status: .created, for: request) {
            entities.pair(pair, viewer: context.reader, into: &$0)
        }
    }

    /// Reads the recipe of a pair.
    ///
    /// - Throws: ``Refusal``: 404 for a text that isn't an identifier, 422 for missing values and texts that aren't
    ///   numbers.
    static func recipe(_ input: Input) throws -> PairService.Recipe {
        let then = try ThenSource.Reference(
            input, photo: "photo_id", past: "past_photo_id", again: "again_id")
        guard let then else {
            throw Refusal.invalid("photo_id", "ERR_BLANK", "Choose a past photo first.")
        }
        guard let text = input.filled("media_id") else {
            throw Refusal.invalid("media_id", "ERR_BLANK", "Send the picture of today.")
        }
        guard let media = ID<SingleUseMedia>(text) else { throw Refusal.notFound }
        var recipe = PairService.Recipe(then: then, media: media.rawValue)
        recipe.aspect = try number("aspect", input)
        recipe.pastView = try view("past_view", input)
        recipe.nowView = try view("now_view", input)
        recipe.year = try year(input)
        recipe.isAligned = input.bool("align") ?? false
        recipe.mode = try mode(input) ?? .slider
        recipe.hasCaption = input.bool("caption")
        return recipe
    }

    private static func view(_ name: String, _ input: Input) throws -> PictureView {
        PictureView(
            zoom: try number("\(name)[zoom]", input) ?? 1, x: try number("\(name)[x]", input) ?? 0.5,
            y: try number("\(name)[y]", input) ?? 0.5)
    }

    private static func number(_ name: String, _ input: Input) throws -> Double? {
        guard let text = input.string(name), !text.isEmpty else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw Refusal.invalid(name, "ERR_INVALID", "Send a number.")
        }
        return number
    }

    /// Reads the year of a past photo; nil when there is none.
    ///
    /// - Throws: ``Refusal`` (422) for a text that isn't a whole number.
    static func year(_ input: Input) throws -> Int? {
        guard let text = input.filled("year") else { return nil }
        guard let year = Int(text) else {
            throw Refusal.invalid("year", "ERR_INVALID", "Send a year, such as 1931.")
        }
        return year
    }

    /// Reads the mode in which a pair is shown; nil when there is none.
    ///
    /// - Throws: ``Refusal`` (422) for one that doesn't exist.
    static func mode(_ input: Input) throws -> Pair.Mode? {
        guard let text = input.filled("mode") else { return nil }
        guard let mode = Pair.Mode(rawValue: text) else {
            throw Refusal.invalid("mode", "ERR_INVALID", "Choose slider, stacked, side_by_side or fade.")
        }
        return mode
    }

    private func change(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        return try await answer(request, context) { viewer, id in
            // Checked before the values, so that the answer is the same for pairs of others and for pairs that don't
            // exist.
            _ = try await pairs.pair(id, for: viewer)
            return try await pairs.show(id, as: try Self.look(input), by: viewer)
        }
    }

    /// Reads the requested look of a pair.
    ///
    /// - Throws: ``Refusal`` (422) for a way of showing that doesn't exist, and for a text that isn't a year.
    static func look(_ input: Input) throws -> PairService.Look {
        .init(mode: try mode(input), hasCaption: input.bool("caption"), year: try year(input))
    }

    private func align(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        return try await answer(request, context) { viewer, id in
            _ = try await pairs.pair(id, for: viewer)
            guard let points = try Self.points(input) else { return try await pairs.align(id, by: viewer) }
            return try await pairs.align(id, points: points, by: viewer)
        }
    }

    /// Reads the points that were set by hand; nil when there are none.
    ///
    /// - Throws: ``Refusal`` (422) for a text that isn't a number, and for points of one picture alone.
    static func points(_ input: Input) throws -> [PointPair]? {
        var points: [PointPair] = []
        // One more than is allowed, so that a list that is too long is noticed.
        for index in 0...4 {
            func coordinate(_ member: String) throws -> Double? {
                try number("points[\(index)]\(member)", input)
            }
            let numbers = try [
                coordinate("[then][x]"), coordinate("[then][y]"), coordinate("[now][x]"),
                coordinate("[now][y]"),
            ]
            if numbers.allSatisfy({ $0 == nil }) { break }
            let known = numbers.compactMap(\.self)
            guard known.count == 4 else {
                throw Refusal.invalid("points", "ERR_INVALID", "Set each point in both pictures.")
            }
            points.append(PointPair(then: (known[0], known[1]), now: (known[2], known[3])))
        }
        return points.isEmpty ? nil : points
    }

    private func answer(
        _ request: Request, _ context: AppContext,
        _ work: (Account, Pair.ID) async throws -> Pair
    ) async throws -> Response {
        let viewer = try context.viewer
        let pair = try await work(viewer, context.id("id"))
        return .json(for: request) { entities.pair(pair, viewer: context.reader, into: &$0) }
    }
}
