-- Browsers that someone has logged in from, known by the SHA-256 of a secret in their cookie. session_id is the log-in
-- that was last begun there; it may have ended, so it refers to nothing.
CREATE TABLE browser_proofs (
    token_hash TEXT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    session_id BIGINT NOT NULL,
    used_at BIGINT NOT NULL
);
CREATE INDEX browser_proofs_by_account ON browser_proofs (account_id, used_at);
