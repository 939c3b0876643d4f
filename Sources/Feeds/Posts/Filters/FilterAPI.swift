import Core
import Hummingbird
import Serving

/// JSON routes of filters, in both of Mastodon's forms.
struct FilterAPI {
    let filters: FilterService

    private static let path = "api/v2/filters"
    private static let olderPath = "api/v1/filters"

    func add(to router: Router<AppContext>) {
        addFilters(to: router)
        addWords(to: router)
        addSingles(to: router)
        addOlder(to: router)
    }

    // MARK: Filters

    private func addFilters(to router: Router<AppContext>) {
        router.get("\(Self.path)") { request, context in
            let found = try await filters.filters(of: context.viewer)
            return Response.json(for: request) { $0.array(found) { FilterEntities.filter($1, into: &$0) } }
        }
        router.post("\(Self.path)") { request, context in
            let viewer = try context.viewer
            let change = try Self.change(await Input.read(request, context))
            return try await filter(request, filters.make(change, by: viewer))
        }
        router.get("\(Self.path)/:id") { request, context in
            try await filter(request, filters.filter(context.id("id"), of: context.viewer))
        }
        router.put("\(Self.path)/:id") { request, context in
            let viewer = try context.viewer
            let id = try context.id("id", of: PostFilter.self)
            let input = try await Input.read(request, context)
            // A filter that isn't there is named before what is wrong with the change.
            _ = try await filters.filter(id, of: viewer)
            return try await filter(request, filters.change(id, Self.change(input), by: viewer))
        }
        router.delete("\(Self.path)/:id") { request, context in
            try await filters.delete(context.id("id"), by: context.viewer)
            return Self.nothing(request)
        }
    }

    private func filter(_ request: Request, _ filter: PostFilter) -> Response {
        .json(for: request) { FilterEntities.filter(filter, into: &$0) }
    }

    private static func nothing(_ request: Request) -> Response { .json(for: request) { $0.object { _ in } } }

    private static func change(_ input: Input) throws -> FilterChange {
        FilterChange(
            title: input.string("title"),
            contexts: try FilterRules.contexts(input.list("context")),
            action: try FilterRules.action(input.filled("filter_action")),
            seconds: try FilterRules.seconds(input.string("expires_in")),
            words: .some(
                try input.objects("keywords_attributes").map { members in
                    let word = Input(values: members.mapValues { [$0] })
                    return FilterChange.WordChange(
                        id: try word.filled("id").map {
                            try Input.id($0, in: "keywords_attributes", of: "a word")
                        }, text: word.string("keyword"), isWhole: word.bool("whole_word"),
                        isRemoved: word.bool("_destroy") ?? false)
                }))
    }

    // MARK: Words

    private func addWords(to router: Router<AppContext>) {
        router.get("\(Self.path)/:id/keywords") { request, context in
            let filter = try await filters.filter(context.id("id"), of: context.viewer)
            return Response.json(for: request) { json in
                json.array(filter.words) { FilterEntities.word($1, into: &$0) }
            }
        }
        router.post("\(Self.path)/:id/keywords") { request, context in
            let viewer = try context.viewer
            let id = try context.id("id", of: PostFilter.self)
            let input = try await Input.read(request, context)
            let change = FilterChange.WordChange(
                text: input.text("keyword"), isWhole: input.bool("whole_word"))
            let filter = try await filters.change(id, FilterChange(words: .some([change])), by: viewer)
            guard let word = filter.words.last else { throw Refusal.notFound }
            return Response.json(for: request) { FilterEntities.word(word, into: &$0) }
        }
        router.get("\(Self.path)/keywords/:id") { request, context in
            let found = try await filters.word(context.id("id"), of: context.viewer)
            return Response.json(for: request) { FilterEntities.word(found.word, into: &$0) }
        }
        router.put("\(Self.path)/keywords/:id") { request, context in
            let viewer = try context.viewer
            let found = try await filters.word(context.id("id"), of: viewer)
            let input = try await Input.read(request, context)
            let change = FilterChange.WordChange(
                id: found.word.id, text: input.string("keyword"), isWhole: input.bool("whole_word"))
            let filter = try await filters.change(
                found.filter.id, FilterChange(words: .some([change])), by: viewer)
            let word = filter.words.first { $0.id == found.word.id } ?? found.word
            return Response.json(for: request) { FilterEntities.word(word, into: &$0) }
        }
        router.delete("\(Self.path)/keywords/:id") { request, context in
            try await removeWord(context.id("id"), by: context.viewer)
            return Self.nothing(request)
        }
    }

    /// Removes a word of a filter. Returns the filter as it was.
    @discardableResult
    private func removeWord(_ id: PostFilter.Word.ID, by viewer: Account) async throws -> PostFilter {
        let found = try await filters.word(id, of: viewer)
        let change = FilterChange.WordChange(id: id, isRemoved: true)
        _ = try await filters.change(found.filter.id, FilterChange(words: .some([change])), by: viewer)
        return found.filter
    }

    // MARK: Single posts

    private func addSingles(to router: Router<AppContext>) {
        router.get("\(Self.path)/:id/statuses") { request, context in
            let filter = try await filters.filter(context.id("id"), of: context.viewer)
            return Response.json(for: request) { json in
                json.array(filter.singles) { FilterEntities.single($1, into: &$0) }
            }
        }
        router.post("\(Self.path)/:id/statuses") { request, context in
            let viewer = try context.viewer
            let id = try context.id("id", of: PostFilter.self)
            let input = try await Input.read(request, context)
            _ = try await filters.filter(id, of: viewer)
            let post: Post.ID = try Input.id(input.text("status_id"), in: "status_id", of: "a post")
            return try await single(request, filters.add(post, to: id, by: viewer))
        }
        router.get("\(Self.path)/statuses/:id") { request, context in
            try await single(request, filters.single(context.id("id"), of: context.viewer))
        }
        router.delete("\(Self.path)/statuses/:id") { request, context in
            try await single(request, filters.remove(context.id("id"), by: context.viewer))
        }
    }

    private func single(_ request: Request, _ single: PostFilter.Single) -> Response {
        .json(for: request) { FilterEntities.single(single, into: &$0) }
    }

    // MARK: The first version

    private func addOlder(to router: Router<AppContext>) {
        router.get("\(Self.olderPath)") { request, context in
            let found = try await filters.filters(of: context.viewer).flatMap { filter in
                filter.words.map { (filter, $0) }
            }
            return Response.json(for: request) { json in
                json.array(found) { FilterEntities.older($1.0, $1.1, into: &$0) }
            }
        }
        router.post("\(Self.olderPath)") { request, context in
            let viewer = try context.viewer
            let input = try await Input.read(request, context)
            var change = try Self.olderChange(input)
            change.title = input.text("phrase")
            change.words = .some([
                .init(text: input.text("phrase"), isWhole: input.bool("whole_word") ?? true)
            ])
            let filter = try await filters.make(change, by: viewer)
            guard let word = filter.words.first else { throw Refusal.notFound }
            return Response.json(for: request) { FilterEntities.older(filter, word, into: &$0) }
        }
        router.get("\(Self.olderPath)/:id") { request, context in
            let found = try await filters.word(context.id("id"), of: context.viewer)
            return Response.json(for: request) { FilterEntities.older(found.filter, found.word, into: &$0) }
        }
        router.put("\(Self.olderPath)/:id", use: changeOlder)
        router.delete("\(Self.olderPath)/:id") { request, context in
            let viewer = try context.viewer
            let filter = try await removeWord(context.id("id"), by: viewer)
            if filter.words.count == 1, filter.singles.isEmpty {
                try await filters.delete(filter.id, by: viewer)
            }
            return Self.nothing(request)
        }
    }

    /// Changes a word and its filter. A filter with several words is changed by the second version alone, since all of
    /// them would change.
    private func changeOlder(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let (filter, word) = try await filters.word(context.id("id"), of: viewer)
        let input = try await Input.read(request, context)
        var change = try Self.olderChange(input)
        let isOfFilter =
            (change.contexts ?? filter.contexts) != filter.contexts || change.seconds != nil
            || (change.action ?? filter.action) != filter.action
        guard filter.words.count == 1 || !isOfFilter else {
            throw Refusal.invalid(
                "phrase", "ERR_INVALID",
                "This word is one of several of the filter “\(filter.title)”. Change that one as a whole.")
        }
        change.words = .some([
            .init(id: word.id, text: input.string("phrase"), isWhole: input.bool("whole_word"))
        ])
        let changed = try await filters.change(filter.id, change, by: viewer)
        let now = changed.words.first { $0.id == word.id } ?? word
        return .json(for: request) { FilterEntities.older(changed, now, into: &$0) }
    }

    private static func olderChange(_ input: Input) throws -> FilterChange {
        FilterChange(
            contexts: try FilterRules.contexts(input.list("context")),
            action: input.bool("irreversible").map { $0 ? .hide : .fold },
            seconds: try FilterRules.seconds(input.string("expires_in")))
    }

    // MARK: Its description

    static var operations: [Operation] {
        let (title, word) = ("title(1...\(FilterRules.titleLength))", "title(1...\(FilterRules.wordLength))")
        let contexts = PostFilter.Context.allCases.map(\.rawValue).joined(separator: "|")
        let end = "expires_in:0...\(FilterRules.longest)"
        let changes = """
            filter_action:warn|hide \(end) keywords_attributes[][id]:id keywords_attributes[][keyword]:\(word) \
            keywords_attributes[][whole_word]:flag keywords_attributes[][_destroy]:flag
            """
        let olderOptions = "irreversible:flag whole_word:flag \(end)"
        return [
            Operation("GET /api/v2/filters", "Your filters", .list("Filter")),
            Operation(
                "POST /api/v2/filters", "Makes a filter", .one("Filter"),
                "title!:\(title) context[]!:\(contexts) \(changes)"),
            Operation("GET /api/v2/filters/{id}", "One of your filters", .one("Filter")),
            Operation(
                "PUT /api/v2/filters/{id}", "Changes a filter", .one("Filter"),
                "title:\(title) context[]:\(contexts) \(changes)"),
            Operation("DELETE /api/v2/filters/{id}", "Deletes a filter", .object),
            Operation("GET /api/v2/filters/{id}/keywords", "The words of a filter", .list("FilterKeyword")),
            Operation(
                "POST /api/v2/filters/{id}/keywords", "Adds a word to a filter", .one("FilterKeyword"),
                "keyword!:\(word) whole_word:flag"),
            Operation("GET /api/v2/filters/keywords/{id}", "A word of a filter", .one("FilterKeyword")),
            Operation(
                "PUT /api/v2/filters/keywords/{id}", "Changes a word", .one("FilterKeyword"),
                "keyword:\(word) whole_word:flag"),
            Operation("DELETE /api/v2/filters/keywords/{id}", "Removes a word", .object),
            Operation(
                "GET /api/v2/filters/{id}/statuses", "The single posts of a filter", .list("FilterStatus")),
            Operation(
                "POST /api/v2/filters/{id}/statuses", "Filters a single post", .one("FilterStatus"),
                "status_id!"),
            Operation("GET /api/v2/filters/statuses/{id}", "A single post of a filter", .one("FilterStatus")),
            Operation(
                "DELETE /api/v2/filters/statuses/{id}", "No longer filters a single post",
                .one("FilterStatus")),
            Operation("GET /api/v1/filters", "The words of your filters", .list("OlderFilter")),
            Operation(
                "POST /api/v1/filters", "Makes a filter with one word", .one("OlderFilter"),
                "phrase!:\(word) context[]!:\(contexts) \(olderOptions)"),
            Operation("GET /api/v1/filters/{id}", "A word of your filters", .one("OlderFilter")),
            Operation(
                "PUT /api/v1/filters/{id}", "Changes a filter with one word", .one("OlderFilter"),
                "phrase:\(word) context[]:\(contexts) \(olderOptions)"),
            Operation("DELETE /api/v1/filters/{id}", "Removes a word, and a filter without others", .object),
        ].about(.filters)
    }

    static var schemas: [EntitySchema] {
        [
            EntitySchema(
                "Filter",
                """
                id:id title:text context:text[] expires_at:time? filter_action:text keywords:FilterKeyword[]
                statuses:FilterStatus[]
                """),
            EntitySchema("FilterKeyword", "id:id keyword:text whole_word:flag"),
            EntitySchema("FilterStatus", "id:id status_id:id"),
            EntitySchema(
                "OlderFilter",
                "id:id phrase:text context:text[] whole_word:flag expires_at:time? irreversible:flag"),
            EntitySchema(
                "FilterResult", "filter:object keyword_matches:text[]? status_matches:id[]?"),
        ]
    }
}
