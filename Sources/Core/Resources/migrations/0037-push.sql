-- Where a log-in gets announcements: a browser on one device, or an app.
CREATE TABLE push_subscriptions (
    id BIGINT PRIMARY KEY,
    session_id BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    -- The address at the push service, and its host. Whoever knows the address can send to the device.
    endpoint TEXT NOT NULL,
    host TEXT NOT NULL,
    -- The device's public key and secret, in base64url.
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    -- Whether to encrypt as RFC 8291 says, or as its draft 4.
    is_standard INTEGER NOT NULL,
    -- The app's access token, sealed with the key in the file `secrets.key`; NULL for a browser.
    sealed_token TEXT,
    -- The names of the alerts that are on, separated by spaces, and whose notifications are announced.
    alerts TEXT NOT NULL,
    policy TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- When the push service last accepted an announcement, and since when it has refused them all.
    worked_at BIGINT,
    failing_since BIGINT
);
CREATE UNIQUE INDEX push_subscriptions_by_session ON push_subscriptions (session_id);
CREATE UNIQUE INDEX push_subscriptions_by_endpoint ON push_subscriptions (endpoint);
CREATE INDEX push_subscriptions_by_account ON push_subscriptions (account_id);

-- What a device announces, or will: one row for notifications that are shown together.
CREATE TABLE push_messages (
    subscription_id BIGINT NOT NULL REFERENCES push_subscriptions (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    group_id BIGINT NOT NULL,
    -- The place of the newest among the account's notifications, and when it happened.
    place BIGINT NOT NULL,
    noted_at BIGINT NOT NULL,
    -- waiting, shown, or closing: about to be removed from the device.
    state TEXT NOT NULL,
    -- Whether the device shows it, maybe in an older version.
    is_shown INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    -- The number of the job that sends it, of which there is one unless it is shown, and when that job is due.
    turn INTEGER NOT NULL,
    due_at BIGINT NOT NULL,
    PRIMARY KEY (subscription_id, tag)
);
CREATE INDEX push_messages_by_place ON push_messages (subscription_id, place);
CREATE INDEX push_messages_by_account ON push_messages (account_id);
