import Core
import Crypto
import Foundation
import People
import Serving
import Storage

/// The form that a browser without scripts sends: files, photos of the library, a text, and the message or snap that they
/// answer. Each picture and the text become a message. Either all messages are sent, or none.
struct MessageForm: Sendable {
    /// The most pictures that one form sends.
    static let mostPictures = 20

    /// The key that the form was served with.
    let key: String
    let text: String
    let isOnce: Bool
    let photos: [Photo.ID]
    let files: [Input.File]
    let reply: Message.ID?
    let snap: Snap.ID?

    init(_ input: Input) {
        key = String(input.text("key").prefix(100))
        text = input.text("text")
        isOnce = input.bool("once") == true
        photos = input.list("photo").compactMap { Photo.ID($0) }
        files = input.files
        reply = input.id("reply_to_id")
        snap = input.id("snap_id")
    }

    /// Checks what can be checked before the pictures are read.
    ///
    /// - Throws: ``Refusal`` (422).
    func check() throws {
        guard files.count + photos.count <= Self.mostPictures else {
            throw Refusal.invalid(
                "photo", "ERR_TOO_MANY", "Send at most \(Self.mostPictures) pictures at once.")
        }
        if !text.isEmpty || (files.isEmpty && photos.isEmpty) {
            try MessageService.Draft(text: text).check()
        }
    }

    /// Returns the messages with their keys: first the files, then the library's photos, then the text.
    ///
    /// Each key is made of the form's own key and of the contents of the message. So a form that is sent twice makes
    /// each message once, and a form that was changed after Back makes new messages.
    ///
    /// - Parameter pictures: the pictures made of the files, in order, with the name of each file.
    func parts(
        _ pictures: [(name: String, picture: MessageService.Draft.Picture)]
    ) -> [MessageService.Part] {
        var parts = pictures.map { part($0.name, picture: $0.picture) }
        parts += photos.map { part("photo \($0)", picture: isOnce ? .onceCopy(of: $0) : .photo($0)) }
        if !text.isEmpty { parts.append(part("text \(Self.digest(Array(text.utf8)))", text: text)) }
        if !parts.isEmpty { (parts[0].draft.reply, parts[0].draft.snap) = (reply, snap) }
        return parts
    }

    private func part(
        _ name: String, text: String = "", picture: MessageService.Draft.Picture = .none
    ) -> MessageService.Part {
        MessageService.Part(
            draft: .init(text: text, picture: picture), key: key.isEmpty ? nil : "form \(key) \(name)")
    }

    /// Returns the names of the files: a digest of the contents, and the number of equal files before each.
    func fileNames() async throws -> [String] {
        var counts: [String: Int] = [:]
        var names: [String] = []
        for file in files {
            let content = Self.digest(try await file.blob.finish().sha256)
            counts[content, default: 0] += 1
            names.append("file \(content) \(counts[content, default: 0])")
        }
        return names
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).prefix(12).hex
    }
}

/// The sending of a whole form.
struct MessageFormSender: Sendable {
    let messages: MessageService
    let photos: PhotoService
    let singleUse: SingleUseMediaService

    /// A file that was stored for a message which isn't sent yet.
    private enum Taken {
        case photo(Photo.ID)
        case once(SingleUseMedia.ID, key: IdempotencyKey?)

        var picture: MessageService.Draft.Picture {
            switch self {
            case .photo(let id): .photo(id)
            case .once(let id, _): .once(id)
            }
        }
    }

    /// Stores the files of a form and sends all messages, or sends nothing and erases the files.
    ///
    /// - Throws: ``Refusal`` for the first file that can't be taken, and what ``MessageService`` refuses.
    func send(_ form: MessageForm, to chat: Chat.ID, _ context: AppContext) async throws {
        let viewer = try context.viewer
        try form.check()
        let names = try await form.fileNames()
        var taken: [Taken] = []
        do {
            for (file, name) in zip(form.files, names) {
                taken.append(try await take(file, name, of: form, by: viewer))
            }
            let pictures = zip(names, taken).map { (name: $0, picture: $1.picture) }
            _ = try await messages.send(form.parts(pictures), to: chat, by: viewer)
        } catch {
            // The form may have been sent twice, so that its pictures are already used.
            let keys = form.parts(names.map { ($0, .none) }).compactMap(\.key)
            if !keys.isEmpty, try await messages.wereSent(keys, to: chat, by: viewer) { return }
            await discard(taken, by: viewer, context)
            throw error
        }
    }

    private func take(
        _ file: Input.File, _ name: String, of form: MessageForm, by viewer: Account
    ) async throws -> Taken {
        let scope = form.isOnce ? "view_once" : "photo"
        let key = form.key.isEmpty ? nil : IdempotencyKey.form("\(form.key) \(name)", scope: scope)
        do {
            guard form.isOnce else {
                return .photo(try await photos.upload(file.blob, kind: file.kind, by: viewer, key: key).id)
            }
            let media = try await singleUse.upload(file.blob, purpose: .viewOnce, by: viewer, key: key)
            return .once(media.id, key: key)
        } catch let refusal as Refusal where form.files.count > 1 {
            throw Refusal(refusal.kind, "\(file.filename): \(refusal.message)", fields: refusal.fields)
        }
    }

    private func discard(_ taken: [Taken], by viewer: Account, _ context: AppContext) async {
        await context.attempt("erasing the pictures of refused messages") {
            var library: [Photo.ID] = []
            for one in taken {
                switch one {
                case .photo(let id): library.append(id)
                case .once(let id, let key): try await singleUse.discard(id, by: viewer, key: key)
                }
            }
            try await photos.discard(library, by: viewer)
        }
    }
}
