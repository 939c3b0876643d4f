import Core

/// The calls of the JSON interface, and the entities of their answers.
extension PushFeature {
    package var operations: [Operation] {
        let alerts = PushSubscription.alertNames.map { "data[alerts][\($0)]:flag" }.joined(separator: " ")
        let policy = "data[policy]:\(PushSubscription.Policy.allCases.map(\.rawValue).joined(separator: "|"))"
        let path = "/api/v1/push/subscription"
        return [
            Operation(
                "POST \(path)", "Subscribes this log-in to announcements on its device",
                .one("PushSubscription"),
                """
                subscription[endpoint]!:text(1...2000) subscription[keys][p256dh]! subscription[keys][auth]! \
                subscription[standard]:flag \(policy) \(alerts)
                """, scope: .push),
            Operation(
                "GET \(path)", "The subscription of this log-in", .one("PushSubscription"), scope: .push
            ).mayBeAbsent.mayBeGone,
            Operation(
                "PUT \(path)", "Changes what is announced", .one("PushSubscription"),
                "\(policy) \(alerts)", scope: .push
            ).mayBeAbsent.mayBeGone,
            Operation("DELETE \(path)", "Ends the subscription of this log-in", .object, scope: .push),
            Operation(
                "POST /api/v1/push/test", "Sends an announcement to try the device", .accepted, scope: .push
            ).mayBeAbsent.mayBeGone,
        ]
    }

    package var schemas: [EntitySchema] {
        [
            EntitySchema(
                "PushSubscription",
                "id:count endpoint:url standard:flag alerts:PushAlerts policy:text server_key:text"),
            EntitySchema(
                "PushAlerts", PushSubscription.alertNames.map { "\($0):flag" }.joined(separator: " ")),
        ]
    }
}
