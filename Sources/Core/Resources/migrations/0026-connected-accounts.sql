-- Accounts on other servers that people have connected, and what is published there. What is secret is encrypted with
-- the key in the file `secrets.key` beside the database.

-- This server's registration at another one.
CREATE TABLE connected_servers (
    id BIGINT PRIMARY KEY,
    -- Such as https://mastodon.social
    origin TEXT NOT NULL UNIQUE,
    client_id TEXT NOT NULL,
    sealed_secret TEXT NOT NULL,
    registered_at BIGINT NOT NULL
);
CREATE INDEX connected_servers_by_age ON connected_servers (registered_at);

-- A person on the way to another server and back: the newest attempt of each. The state is known as a hash only.
CREATE TABLE connection_attempts (
    account_id BIGINT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    session_id BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    server_id BIGINT NOT NULL REFERENCES connected_servers (id) ON DELETE CASCADE,
    state_hash TEXT NOT NULL,
    sealed_verifier TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX connection_attempts_by_session ON connection_attempts (session_id);
CREATE INDEX connection_attempts_by_server ON connection_attempts (server_id);

-- One a person. sealed_token is empty when the server takes the token no longer.
CREATE TABLE connected_accounts (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
    server_id BIGINT NOT NULL REFERENCES connected_servers (id),
    remote_id TEXT NOT NULL,
    username TEXT NOT NULL,
    profile_url TEXT NOT NULL,
    sealed_token TEXT NOT NULL
);
CREATE INDEX connected_accounts_by_server ON connected_accounts (server_id);

-- A post on a connected account. turn: the number of the one job that may do the next step. source_key: the picture's
-- file, which another table owns, until blob_key has a copy; both are empty at the end.
CREATE TABLE cross_posts (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    connected_id BIGINT REFERENCES connected_accounts (id) ON DELETE SET NULL,
    server TEXT NOT NULL,
    reference_kind TEXT NOT NULL,
    reference_id BIGINT NOT NULL,
    text TEXT NOT NULL,
    description TEXT NOT NULL,
    source_key TEXT,
    blob_key TEXT REFERENCES blobs (key),
    idempotency_key TEXT NOT NULL,
    turn INTEGER NOT NULL,
    step TEXT NOT NULL,
    -- Empty while it is under way
    ending TEXT NOT NULL,
    media_id TEXT,
    media_url TEXT,
    has_mark INTEGER NOT NULL,
    mark TEXT,
    tried_at BIGINT,
    has_lost_try INTEGER NOT NULL,
    refusal TEXT,
    attempts INTEGER NOT NULL,
    polls INTEGER NOT NULL,
    began_at BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    reason TEXT NOT NULL,
    url TEXT
);
CREATE INDEX cross_posts_by_account ON cross_posts (account_id, id);
CREATE INDEX cross_posts_open_by_account ON cross_posts (account_id, id) WHERE ending = '' OR ending = 'uncertain';
CREATE INDEX cross_posts_by_connection ON cross_posts (connected_id) WHERE connected_id IS NOT NULL;
CREATE UNIQUE INDEX cross_posts_by_blob ON cross_posts (blob_key) WHERE blob_key IS NOT NULL;
