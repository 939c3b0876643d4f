-- People and threads that someone doesn't want to hear of, and suggestions that they have dismissed.

-- Without an end it holds until it is taken back; a job removes the row at its end.
CREATE TABLE mutes (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    muted_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id BIGINT NOT NULL UNIQUE,
    hides_notifications INTEGER NOT NULL,
    ends_at BIGINT,
    PRIMARY KEY (account_id, muted_id)
);
CREATE INDEX mutes_by_account ON mutes (account_id, id);
CREATE INDEX mutes_by_muted ON mutes (muted_id, account_id);

-- A thread is the post at its top.
CREATE TABLE muted_threads (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    root_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    id BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (account_id, root_id)
);
CREATE INDEX muted_threads_by_root ON muted_threads (root_id, account_id);
CREATE INDEX muted_threads_by_account ON muted_threads (account_id, id);

CREATE TABLE dismissed_suggestions (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    dismissed_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (account_id, dismissed_id)
);
CREATE INDEX dismissed_suggestions_by_account ON dismissed_suggestions (account_id, id);
CREATE INDEX dismissed_suggestions_by_dismissed ON dismissed_suggestions (dismissed_id);
