-- The picture URLs of an account that were signed in an earlier epoch are worth nothing. A new one begins when all
-- of the account's log-ins end.
ALTER TABLE accounts ADD COLUMN picture_epoch BIGINT NOT NULL DEFAULT 0;

-- A report outlives the post that it is about, as it does a snap and a message: whoever is reported can't take it
-- back by deleting. So post_id refers to nothing any more, and quote holds the caption. is_comment says what the post
-- is, or was.
CREATE TABLE reports_anew (
    id BIGINT PRIMARY KEY,
    reporter_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    post_id BIGINT,
    is_comment INTEGER NOT NULL DEFAULT 0,
    snap_id BIGINT,
    message_id BIGINT,
    chat_id BIGINT,
    reason TEXT NOT NULL,
    words TEXT NOT NULL,
    quote TEXT NOT NULL DEFAULT '',
    closed_at BIGINT
);
INSERT INTO reports_anew (id, reporter_id, account_id, post_id, is_comment, snap_id, message_id, chat_id, reason, words,
    quote, closed_at)
SELECT r.id, r.reporter_id, r.account_id, r.post_id, CASE WHEN p.parent_id IS NULL THEN 0 ELSE 1 END, r.snap_id,
    r.message_id, r.chat_id, r.reason, r.words,
    CASE WHEN p.id IS NOT NULL AND r.closed_at IS NULL THEN p.caption ELSE r.quote END, r.closed_at
FROM reports r LEFT JOIN posts p ON p.id = r.post_id;
DROP TABLE reports;
ALTER TABLE reports_anew RENAME TO reports;
CREATE INDEX reports_open ON reports (id) WHERE closed_at IS NULL;
CREATE INDEX reports_by_reporter ON reports (reporter_id, id);
CREATE INDEX reports_by_account ON reports (account_id, id);
CREATE INDEX reports_by_post ON reports (post_id) WHERE post_id IS NOT NULL;
-- Whether a message is reported: then administrators see its photo.
CREATE INDEX reports_by_message ON reports (message_id) WHERE message_id IS NOT NULL;
