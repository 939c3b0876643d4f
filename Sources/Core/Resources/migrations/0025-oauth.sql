-- OAuth 2: apps that people log in with.

-- What an app's log-in may do, as a list with spaces; null for a log-in that may do everything.
ALTER TABLE sessions ADD COLUMN scopes TEXT;

CREATE TABLE oauth_apps (
    id BIGINT PRIMARY KEY,
    client_id TEXT NOT NULL UNIQUE,
    secret_hash TEXT NOT NULL,
    name TEXT NOT NULL,
    website TEXT,
    -- One address a line
    redirect_uris TEXT NOT NULL,
    scopes TEXT NOT NULL,
    -- When someone was last known to use the app; null when nobody has logged in with it yet
    used_at BIGINT
);
CREATE INDEX oauth_apps_by_use ON oauth_apps (used_at, id);

CREATE TABLE oauth_codes (
    code_hash TEXT PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES oauth_apps (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    redirect_uri TEXT NOT NULL,
    scopes TEXT NOT NULL,
    -- The S256 challenge of PKCE (RFC 7636), null when the app sent none
    challenge TEXT,
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    -- The log-in in which the person agreed, with which an unused code ends; null once the code is used
    consent_session_id BIGINT REFERENCES sessions (id) ON DELETE CASCADE,
    -- The app's log-in that the code gave
    session_id BIGINT REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE INDEX oauth_codes_by_account ON oauth_codes (account_id, expires_at);
CREATE INDEX oauth_codes_by_app ON oauth_codes (app_id);
CREATE INDEX oauth_codes_by_consent ON oauth_codes (consent_session_id);
CREATE INDEX oauth_codes_by_session ON oauth_codes (session_id);

-- Which app a log-in belongs to.
CREATE TABLE oauth_grants (
    session_id BIGINT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    app_id BIGINT NOT NULL REFERENCES oauth_apps (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
);
CREATE INDEX oauth_grants_by_account ON oauth_grants (account_id, app_id);
CREATE INDEX oauth_grants_by_app ON oauth_grants (app_id);

-- Tokens of apps without a person (RFC 6749, 4.4).
CREATE TABLE oauth_app_tokens (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES oauth_apps (id) ON DELETE CASCADE,
    token_hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL
);
CREATE INDEX oauth_app_tokens_by_app ON oauth_app_tokens (app_id, id);
