import Core
import HTML
import People
import Serving
import Storage

extension Notification.Kind {
    /// Somebody waved.
    static let wave = Notification.Kind("wave")
}

extension NotificationTopic {
    static let waves = NotificationTopic("waves", title: "Waves", position: 90)
}

/// How people are told of waves.
enum WaveNotifications {
    static let kinds = [
        NotificationKind(
            kind: .wave, topic: .waves, mastodonType: "tintype.wave", colour: "follow",
            symbol: "person-plus",
            subjects: NotificationKind.oneByOne { id, reader, transaction in
                WaveSubject(wave: try WaveRecords(transaction).wave(ID(rawValue: id), for: reader))
            },
            member: "wave*:object", words: { _ in .text(" waved at you.") }, path: { _ in Wave.path })
    ]
}

/// The wave that a notification is about.
private struct WaveSubject: NotificationSubject {
    let wave: Wave

    var picture: Node { .empty }

    func eventSubjects(_ transaction: Transaction) -> [EventSubject] { [.thing(wave.id)] }

    func write(for viewer: Reader, into json: inout JSONWriter) {
        json.object("wave") { $0.member("id", wave.id) }
    }
}
