-- Conversations under posts, what people are told, what they report, and links for guests.

-- The comment right below the post that a comment belongs to: itself, or the one at the top of its replies.
ALTER TABLE posts ADD COLUMN thread_id BIGINT;
-- A post's comments as the screen shows them: each followed by its replies.
CREATE INDEX posts_by_thread ON posts (root_id, thread_id, id);

-- group_id is what rows are told together by: the post for likes and comments, else the row itself.
CREATE TABLE notifications (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    actor_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    post_id BIGINT REFERENCES posts (id) ON DELETE CASCADE,
    group_id BIGINT NOT NULL
);
CREATE INDEX notifications_by_account ON notifications (account_id, id);
CREATE INDEX notifications_by_group ON notifications (account_id, kind, group_id, id);
CREATE INDEX notifications_by_actor ON notifications (actor_id, account_id);
CREATE INDEX notifications_by_post ON notifications (post_id);

-- How far someone has read a timeline: home, notifications.
CREATE TABLE markers (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    timeline TEXT NOT NULL,
    last_read_id BIGINT NOT NULL,
    version INTEGER NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, timeline)
);

-- A report is open until an administrator has closed it.
CREATE TABLE reports (
    id BIGINT PRIMARY KEY,
    reporter_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    post_id BIGINT REFERENCES posts (id) ON DELETE CASCADE,
    reason TEXT NOT NULL,
    words TEXT NOT NULL,
    closed_at BIGINT
);
CREATE INDEX reports_open ON reports (id) WHERE closed_at IS NULL;
CREATE INDEX reports_by_reporter ON reports (reporter_id, id);
CREATE INDEX reports_by_account ON reports (account_id, id);
CREATE INDEX reports_by_post ON reports (post_id);

-- What administrators did, in words that stay true when the accounts are gone.
CREATE TABLE administration_records (
    id BIGINT PRIMARY KEY,
    administrator TEXT NOT NULL,
    deed TEXT NOT NULL,
    subject TEXT NOT NULL,
    reason TEXT NOT NULL
);

-- A link that shows one post to anyone who has it, until it expires or is revoked.
CREATE TABLE guest_links (
    post_id BIGINT PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
    token TEXT NOT NULL UNIQUE,
    expires_at BIGINT NOT NULL
);
