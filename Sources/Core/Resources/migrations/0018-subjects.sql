-- What a notification is about: anything that a feature has, by its id; 0 for nothing. No two things share an id. The
-- feature takes it back when the thing goes.
CREATE TABLE notifications_new (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    actor_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    subject_id BIGINT NOT NULL,
    group_id BIGINT NOT NULL
);
INSERT INTO notifications_new (id, account_id, kind, actor_id, subject_id, group_id)
SELECT id, account_id, kind, actor_id, COALESCE(post_id, snap_id, 0), group_id FROM notifications;
DROP TABLE notifications;
ALTER TABLE notifications_new RENAME TO notifications;
CREATE INDEX notifications_by_account ON notifications (account_id, id);
CREATE INDEX notifications_by_group ON notifications (account_id, kind, group_id, id);
CREATE INDEX notifications_by_actor ON notifications (actor_id, account_id);
CREATE INDEX notifications_by_subject ON notifications (subject_id, account_id) WHERE subject_id <> 0;

-- What a report is about, by its kind and id, and what holds it, such as the conversation of a message; 0 for nothing.
-- An account that is reported itself has the kind 'account' and the id 0.
CREATE TABLE reports_new (
    id BIGINT PRIMARY KEY,
    reporter_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    subject_kind TEXT NOT NULL,
    subject_id BIGINT NOT NULL,
    holder_id BIGINT NOT NULL,
    reason TEXT NOT NULL,
    words TEXT NOT NULL,
    quote TEXT NOT NULL,
    closed_at BIGINT
);
INSERT INTO reports_new (id, reporter_id, account_id, subject_kind, subject_id, holder_id, reason, words, quote,
    closed_at)
SELECT id, reporter_id, account_id,
    CASE WHEN post_id IS NOT NULL AND is_comment = 1 THEN 'comment' WHEN post_id IS NOT NULL THEN 'post'
        WHEN snap_id IS NOT NULL THEN 'snap' WHEN message_id IS NOT NULL THEN 'message' ELSE 'account' END,
    COALESCE(post_id, snap_id, message_id, 0), COALESCE(chat_id, 0), reason, words, quote, closed_at
FROM reports;
DROP TABLE reports;
ALTER TABLE reports_new RENAME TO reports;
CREATE INDEX reports_open ON reports (id) WHERE closed_at IS NULL;
CREATE INDEX reports_by_reporter ON reports (reporter_id, id);
CREATE INDEX reports_by_account ON reports (account_id, id);
-- Whether something is reported: then administrators see its photos.
CREATE INDEX reports_by_subject ON reports (subject_id) WHERE subject_id <> 0;
