-- People, how they log in, and whom they follow.

CREATE TABLE accounts (
    id BIGINT PRIMARY KEY,
    username TEXT NOT NULL,
    username_folded TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    bio TEXT NOT NULL DEFAULT '',
    password TEXT NOT NULL,
    portrait_id BIGINT,
    is_admin INTEGER NOT NULL DEFAULT 0,
    approves_followers INTEGER NOT NULL DEFAULT 0,
    is_suspended INTEGER NOT NULL DEFAULT 0,
    posts_count INTEGER NOT NULL DEFAULT 0,
    followers_count INTEGER NOT NULL DEFAULT 0,
    following_count INTEGER NOT NULL DEFAULT 0,
    newest_post_id BIGINT NOT NULL DEFAULT 0
);

-- Folded words of names, found by prefix: (term, account_id) is read as a range.
CREATE TABLE account_terms (
    term TEXT NOT NULL,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    PRIMARY KEY (term, account_id)
);
CREATE INDEX account_terms_by_account ON account_terms (account_id);

-- A log-in: a browser's cookie or a program's bearer token. Only the token's SHA-256 is kept.
CREATE TABLE sessions (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    token_hash TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    device TEXT NOT NULL,
    seen_at BIGINT NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account_id, id);

CREATE TABLE invitations (
    id BIGINT PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    creator_id BIGINT REFERENCES accounts (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL,
    used_by BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
    used_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX invitations_by_creator ON invitations (creator_id, id);
CREATE INDEX invitations_by_user ON invitations (used_by);

-- is_accepted = 0 is a request that the other has not answered yet.
CREATE TABLE follows (
    follower_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    followee_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id BIGINT NOT NULL UNIQUE,
    is_accepted INTEGER NOT NULL,
    PRIMARY KEY (follower_id, followee_id)
);
CREATE INDEX follows_by_follower ON follows (follower_id, is_accepted, id);
CREATE INDEX follows_by_followee ON follows (followee_id, is_accepted, id);

CREATE TABLE blocks (
    blocker_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    blocked_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (blocker_id, blocked_id)
);
CREATE INDEX blocks_by_blocked ON blocks (blocked_id, blocker_id);

-- What a request with an Idempotency-Key made, kept for 24 hours.
CREATE TABLE idempotency_keys (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    result_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Settings that the server makes for itself once, such as the key that signs picture URLs.
CREATE TABLE server_values (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- Effects that follow a transaction (outbox): done after it, at least once, safe to repeat.
CREATE TABLE jobs (
    id BIGINT PRIMARY KEY,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    run_at BIGINT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
);
CREATE INDEX jobs_by_time ON jobs (run_at, id);
