-- What people write for themselves about others, and who is in the directory.

CREATE TABLE account_notes (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    noted_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id BIGINT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    PRIMARY KEY (account_id, noted_id)
);
CREATE INDEX account_notes_by_account ON account_notes (account_id, id);
CREATE INDEX account_notes_by_noted ON account_notes (noted_id);

-- The directory: by the newest post, or by the newest account.
CREATE INDEX accounts_by_newest_post ON accounts (newest_post_id, id) WHERE is_discoverable = 1 AND is_suspended = 0;
CREATE INDEX accounts_discoverable ON accounts (id) WHERE is_discoverable = 1 AND is_suspended = 0;
