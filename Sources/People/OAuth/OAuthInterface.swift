import Core

/// The calls of the JSON interface, and the entities of their answers.
extension OAuthFeature {
    package var operations: [Operation] {
        [
            Operation(
                "POST /api/v1/apps", "Registers an app", .one("Application"),
                "client_name!:line(\(OAuthApp.nameLength)) redirect_uris[]! scopes website", isPublic: true),
            Operation("GET /api/v1/apps/verify_credentials", "The app that asks", .one("Application"))
                .forEveryApp,
            Operation(
                "POST /oauth/token",
                "A token, for a code that a person has let the app have, or for the app alone",
                .one("Token"),
                "grant_type! code redirect_uri code_verifier client_id:text client_secret scope",
                isPublic: true
            ).ofClients,
            Operation(
                "POST /oauth/revoke", "Ends a token of the app", .object,
                "token! client_id:text client_secret",
                isPublic: true
            ).ofClients,
            Operation(
                "POST /api/v1/accounts",
                "Creates an account for a person, and logs them in with the app, which asks with a token of its own",
                .one("Token"),
                """
                username!:username(\(AccountRules.usernameLength)) password!:text(\(AccountRules.passwordLength)) \
                agreement!:yes display_name:line(0...\(AccountRules.displayNameLength.upperBound)) invitation_code
                """,
                scope: .write(.accounts)),
            Operation(
                "GET /oauth/userinfo", "Who is logged in (OpenID Connect Core 1.0, 5.3)", .one("UserInfo"),
                scope: .read(.accounts)),
            Operation(
                "POST /oauth/userinfo", "Who is logged in, for apps that ask by POST", .one("UserInfo"),
                scope: .read(.accounts)),
            Operation(
                "GET /.well-known/oauth-authorization-server", "How apps log people in (RFC 8414)", .object,
                isPublic: true),
        ]
    }

    package var schemas: [EntitySchema] {
        [
            EntitySchema(
                "Application",
                """
                id:id name:text website:url? redirect_uri:text redirect_uris:text[] scopes:text[] client_id*:text
                client_secret*:text client_secret_expires_at*:count vapid_key*:text
                """),
            EntitySchema(
                "UserInfo",
                "iss:url sub:id name:text preferred_username:text profile:url picture:url"),
            EntitySchema("Token", "access_token:text token_type:text scope:text created_at:count"),
        ]
    }
}
