import Core
import Feeds
import Foundation
import Making
import People
import Serving
import Storage

/// The contents of the demo.
public struct DemoSummary: Sendable, CustomStringConvertible {
    /// The number of people.
    public var people: Int
    /// The number of posts.
    public var posts: Int
    /// The username to log in with.
    public var username: String
    /// The password to log in with.
    public var password: String

    /// One sentence for the operator.
    public var description: String {
        "\(people) people and \(posts) posts. Log in as \(username) with the password \(password)."
    }
}

/// The filling of a data folder with people who have been here for weeks.
///
/// Everything is done by the services, in the order in which it happened, with a clock that goes from the past to now.
/// So every id has the right time, and every count is right.
struct Demo {
    private let application: TintypeApplication
    private let clock: DemoClock
    private let script: DemoScript
    private var random = SplitMix64(state: 2024)
    private var accounts: [String: Account] = [:]
    private var posted: [Int: Post.ID] = [:]
    private var contracts: [Int: Contract.ID] = [:]
    /// The groups by their titles.
    private var groups: [String: Chat.ID] = [:]

    private enum Event {
        case follow(String, String)
        case post(Int)
        case like(String, Int)
        case save(String, Int)
        case comment(DemoScript.Comment, Int)
        case snap(DemoScript.Snap)
        case group(DemoScript.Group)
        case message(DemoScript.Message)
        case collage(DemoScript.Collage)
        case pair(DemoScript.Pair)
        case contract(Int)
        case move(DemoScript.Contract.Move, Int)
    }

    init(_ application: TintypeApplication, clock: DemoClock, script: DemoScript) {
        (self.application, self.clock, self.script) = (application, clock, script)
    }

    /// Fills the folder.
    ///
    /// - Parameter end: the time at which the demo is looked at.
    mutating func fill(until end: Date) async throws -> DemoSummary {
        let pictures = try await pictures()
        for person in script.people { try await join(person) }
        for (date, event) in timeline(until: end) {
            clock.move(to: date)
            try await happen(event, pictures)
            // Notifications that are sent a moment later are sent at that time of the demo, and not when the server
            // starts.
            clock.move(to: date.addingTimeInterval(3))
            try await application.jobs.runDueJobs()
        }
        // Anyone who looks at a demo may sign up.
        try await application.database.write {
            [signUps = application.features.accounts.signUps] transaction in
            try signUps.set(.open, transaction)
        }
        let logIn = script.account
        try await DemoAccount.remember(
            logIn.username, password: logIn.password, in: application.database)
        return DemoSummary(
            people: accounts.count, posts: posted.count, username: logIn.username, password: logIn.password)
    }

    // MARK: Pictures

    /// Cuts the squares out of the pictures, all at once, because cutting needs processors and no order.
    private func pictures() async throws -> [String: DemoPicture] {
        let (script, processor, work) = (script, application.parts.processor, application.parts.work)
        let names = script.shown
        return try await withThrowingTaskGroup(of: (String, DemoPicture).self) { group in
            var waiting = names.makeIterator()
            var pictures: [String: DemoPicture] = [:]
            func add(_ name: String) {
                group.addTask {
                    let shot = try DemoShot(name, in: script)
                    return (name, try await DemoPicture(shot, processor: processor, work: work))
                }
            }
            for _ in 0..<4 { if let name = waiting.next() { add(name) } }
            while let (name, picture) = try await group.next() {
                pictures[name] = picture
                if let name = waiting.next() { add(name) }
            }
            return pictures
        }
    }

    private func upload(_ picture: [UInt8]) async throws -> IncomingBlob {
        let incoming = try application.blobs.receive()
        try await incoming.write(picture)
        return incoming
    }

    // MARK: What happens

    private mutating func join(_ person: DemoScript.Person) async throws {
        let portrait = try Resources.folder("portraits").appending(path: "\(person.username).webp")
        let file = try await upload([UInt8](try Data(contentsOf: portrait)))
        let isNamed = person.username == script.account.username
        accounts[person.username] = try await application.features.accounts.accounts.create(
            .init(
                username: person.username, displayName: person.displayName,
                // Nobody logs in as the other people.
                password: isNamed ? script.account.password : Session.newToken(), bio: person.bio),
            portrait: .init(file: file), isAdmin: isNamed)
    }

    /// Returns everything that happens after all people have joined, in order.
    private mutating func timeline(until end: Date) -> [(Date, Event)] {
        var events: [(Date, Event)] = []
        let names = script.people.map(\.username)
        let start = end.addingTimeInterval(-(script.oldestHours + 48) * 3600)
        var follows: Set<[String]> = []
        for one in names {
            for other in names where one < other && chance(0.8) {
                // Most follow each other; a few only one way.
                let isMutual =
                    one == script.account.username || other == script.account.username || chance(0.9)
                follows.insert([one, other])
                if isMutual { follows.insert([other, one]) }
            }
        }
        // A person who comments follows the author.
        for post in script.posts {
            for comment in post.comments ?? [] where comment.by != post.by {
                follows.insert([comment.by, post.by])
            }
        }
        // The people of a contract and of a group are friends.
        for people in script.contracts.map(\.people) + script.groups.map({ [$0.by] + $0.with }) {
            for one in people {
                for other in people where other != one { follows.insert([one, other]) }
            }
        }
        for pair in follows.sorted(by: { $0[0] + $0[1] < $1[0] + $1[1] }) {
            events.append((start.addingTimeInterval(number(below: 40 * 3600)), .follow(pair[0], pair[1])))
        }
        for (index, post) in script.posts.enumerated() {
            let date = end.addingTimeInterval(-post.hoursAgo * 3600)
            events.append((date, .post(index)))
            // Most likes come within a day, and none from the future.
            let time = min(20 * 3600, end.timeIntervalSince(date) - 60)
            for name in names where name != post.by && follows.contains([name, post.by]) {
                if chance(0.62) { events.append((date + 30 + number(below: time - 30), .like(name, index))) }
                if chance(0.12) { events.append((date + 30 + number(below: time - 30), .save(name, index))) }
            }
            for (number, comment) in (post.comments ?? []).enumerated() {
                events.append((date + time * Double(number + 1) / 5, .comment(comment, index)))
            }
        }
        events += script.snaps.map { (end - $0.hoursAgo * 3600, .snap($0)) }
        events += script.groups.map { (end - $0.hoursAgo * 3600, .group($0)) }
        events += script.messages.map { (end - $0.hoursAgo * 3600, .message($0)) }
        events += script.collages.map { (end - $0.hoursAgo * 3600, .collage($0)) }
        events += script.pairs.map { (end - $0.hoursAgo * 3600, .pair($0)) }
        for (index, contract) in script.contracts.enumerated() {
            events.append((end - contract.hoursAgo * 3600, .contract(index)))
            events += (contract.moves ?? []).map { (end - $0.hoursAgo * 3600, .move($0, index)) }
        }
        return events.sorted { $0.0 < $1.0 }
    }

    private mutating func happen(_ event: Event, _ pictures: [String: DemoPicture]) async throws {
        switch event {
        case .follow(let one, let other):
            guard let follower = accounts[one], let followee = accounts[other] else { return }
            _ = try await application.features.relationships.relations.follow(
                followee.id, by: follower)
        case .post(let index):
            try await post(index, pictures)
        case .like(let name, let index):
            try await mark(.like, index, by: name)
        case .save(let name, let index):
            try await mark(.save, index, by: name)
        case .comment(let comment, let index):
            guard let post = posted[index], let author = accounts[comment.by] else { return }
            _ = try await application.features.posts.comments.comment(
                .init(parent: post, text: comment.text), by: author)
        case .snap(let snap):
            guard let poster = accounts[snap.by] else { return }
            _ = try await application.features.snaps.snaps.post(
                .sample(snap.sample), to: snap.feed, by: poster)
        case .group(let group):
            guard let maker = accounts[group.by] else { return }
            groups[group.title] = try await application.features.chats.chats.makeGroup(
                group.with.compactMap { accounts[$0]?.id }, title: group.title, by: maker
            ).id
        case .message(let message):
            try await send(message, pictures)
        case .collage(let collage):
            try await make(collage, pictures)
        case .pair(let pair):
            try await make(pair, pictures)
        case .contract(let index):
            try await propose(index, pictures)
        case .move(let move, let index):
            try await make(move, in: index, pictures)
        }
    }

    private mutating func propose(_ index: Int, _ pictures: [String: DemoPicture]) async throws {
        let script = script.contracts[index]
        guard let proposer = accounts[script.by], let partner = accounts[script.with] else { return }
        let draft = ContractService.Draft(
            partner: partner.id, promise: script.promise, rules: script.rules ?? [],
            endsAt: clock.now.addingTimeInterval(script.hours * 3600),
            witness: script.witness.flatMap { accounts[$0]?.id }, breachText: script.breachText ?? "",
            pledge: try await pledge(script.stake, by: proposer, pictures))
        contracts[index] = try await application.features.contracts.contracts.propose(
            draft, by: proposer
        ).contract.id
    }

    private func make(
        _ move: DemoScript.Contract.Move, in index: Int, _ pictures: [String: DemoPicture]
    ) async throws {
        guard let id = contracts[index], let mover = accounts[move.by],
            let kind = ContractMove.Kind(rawValue: move.move)
        else { return }
        let service = application.features.contracts.contracts
        if let made = ContractMove(kind, rule: move.rule, broken: false) {
            _ = try await service.move(made, in: id, by: mover, note: move.note ?? "")
        } else if let stake = move.stake {
            _ = try await service.accept(id, try await pledge(stake, by: mover, pictures), by: mover)
        }
    }

    /// Returns a person's pledge: one of their pictures, to be published as a post on this server.
    private func pledge(
        _ name: String, by owner: Account, _ pictures: [String: DemoPicture]
    ) async throws -> ContractService.Pledge {
        var pledge = ContractService.Pledge(publishTo: [.server], consents: true, isAdult: true)
        guard let picture = pictures[name] else { return pledge }
        pledge.stake = .upload(
            try await application.features.photos.singleUse.upload(
                try await upload(picture.bytes), purpose: .stake, description: picture.description, by: owner
            ).id)
        return pledge
    }

    private func make(_ script: DemoScript.Pair, _ pictures: [String: DemoPicture]) async throws {
        guard let owner = accounts[script.by], let then = pictures[script.then],
            let now = pictures[script.now]
        else { return }
        let media = try await application.features.photos.singleUse.upload(
            try await upload(now.bytes), purpose: .pair, by: owner)
        var recipe = PairService.Recipe(
            then: .photo(try await add(then, by: owner)), media: media.id.rawValue)
        recipe.year = script.year
        recipe.isAligned = true
        recipe.mode = script.mode.flatMap(Pair.Mode.init) ?? .slider
        let pair = try await application.features.thenAndNow.pairs.make(recipe, by: owner)
        guard let caption = script.caption else { return }
        _ = try await application.features.posts.posts.post(
            .init(caption: caption, photos: [pair.id], visibility: .followers), by: owner)
    }

    private func make(_ script: DemoScript.Collage, _ pictures: [String: DemoPicture]) async throws {
        guard let owner = accounts[script.by] else { return }
        let collages = application.features.collages.collages
        let people = (script.with ?? []).compactMap { accounts[$0]?.id }
        let style = CollageStyleChange(
            layout: script.layout, background: script.background, spacing: script.spacing.map { String($0) },
            cornerRadius: script.cornerRadius.map { String($0) })
        let collage = try await collages.begin(
            style, with: people.isEmpty ? .alone : .friends(people), by: owner)
        for (index, cell) in script.cells.enumerated() {
            guard let giver = accounts[cell.by], let picture = pictures[cell.photo] else { continue }
            let photo = try await add(picture, by: giver)
            _ = try await collages.fill(index, of: collage.id, with: photo, by: giver) { $0 }
        }
        if script.isOpen != true { _ = try await collages.finish(collage.id, by: owner) }
    }

    private mutating func post(_ index: Int, _ pictures: [String: DemoPicture]) async throws {
        let post = script.posts[index]
        guard let author = accounts[post.by] else { return }
        var photos: [Photo.ID] = []
        for name in post.photos {
            guard let picture = pictures[name] else { continue }
            let file = try await upload(picture.bytes)
            let photo = try await application.features.photos.photos.upload(
                file, description: picture.description, by: author)
            photos.append(photo.id)
        }
        var draft = PostService.Draft(
            caption: post.caption, photos: photos, visibility: post.public == true ? .server : .followers)
        draft.words.warning = post.warning
        posted[index] = try await application.features.posts.posts.post(draft, by: author).id
    }

    private func add(_ picture: DemoPicture, by owner: Account) async throws -> Photo.ID {
        let file = try await upload(picture.bytes)
        return try await application.features.photos.photos.upload(
            file, description: picture.description, by: owner
        ).id
    }

    /// Sends a message. The sender of an answer has read the messages before it.
    private func send(_ message: DemoScript.Message, _ pictures: [String: DemoPicture]) async throws {
        guard let sender = accounts[message.by] else { return }
        var draft = MessageService.Draft(text: message.text)
        if let picture = message.photo.flatMap({ pictures[$0] }) {
            draft.picture = .photo(try await add(picture, by: sender))
        }
        guard let chat = try await chat(message.to, of: sender) else { return }
        if let last = try await application.features.chats.messages.messages(
            of: chat, for: sender, page: PageRequest(limit: 1)
        ).first {
            try await application.features.chats.chats.markRead(
                chat, through: last.id, by: sender)
            if message.isReply == true { draft.reply = last.id }
        }
        let sent = try await application.features.chats.messages.send(
            draft, to: chat, by: sender)
        if let emoji = message.reaction, let receiver = accounts[message.to] {
            _ = try await application.features.chats.messages.react(
                emoji, to: sent.id, in: chat, by: receiver)
        }
    }

    /// Returns a group by its title, or the chat with a person by their username.
    private func chat(_ name: String, of sender: Account) async throws -> Chat.ID? {
        if let group = groups[name] { return group }
        guard let receiver = accounts[name] else { return nil }
        return try await application.features.chats.chats.open(with: receiver.id, by: sender).id
    }

    private func mark(_ mark: PostMark, _ index: Int, by name: String) async throws {
        guard let id = posted[index], let account = accounts[name] else { return }
        _ = try await application.features.posts.posts.set(mark, true, on: id, by: account)
    }

    // MARK: Random choices, the same every time

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    private mutating func number(below limit: Double) -> Double {
        Double.random(in: 0..<max(1, limit), using: &random)
    }
}

extension TintypeApplication {
    /// Fills an empty or missing data folder with the demo, either completely or not at all.
    ///
    /// - Throws: ``Refusal`` (409) when the folder isn't empty.
    public static func fillDemo(_ configuration: ServerConfiguration) async throws -> DemoSummary {
        let folder = try NewDataFolder(configuration.data)
        do {
            let end = Date()
            let script = try DemoScript.load()
            let clock = DemoClock(end.addingTimeInterval(-(script.oldestHours + 49) * 3600))
            var configuration = configuration
            configuration.data = folder.path
            let application = try await TintypeApplication(configuration) { clock.now }
            guard try await application.database.read({ try AccountRecords($0).count() }) == 0 else {
                throw Refusal(.conflict, "The database isn’t empty. Make a new one for the demo.")
            }
            var demo = Demo(application, clock: clock, script: script)
            let summary = try await demo.fill(until: end)
            try application.database.close()
            try folder.finish()
            return summary
        } catch {
            folder.discard()
            throw error
        }
    }
}
