-- What a person wants done with notifications of people whom they hardly know: 'accept', 'filter' (put aside) or 'drop'.
CREATE TABLE notification_policies (
    account_id BIGINT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    not_following TEXT NOT NULL,
    not_followers TEXT NOT NULL,
    new_accounts TEXT NOT NULL
);

-- People whose notifications somebody accepts whatever the policy says.
CREATE TABLE accepted_notifiers (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    actor_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    PRIMARY KEY (account_id, actor_id)
);
CREATE INDEX accepted_notifiers_by_actor ON accepted_notifiers (actor_id);

ALTER TABLE notifications ADD COLUMN is_put_aside INTEGER NOT NULL DEFAULT 0;
CREATE INDEX notifications_put_aside ON notifications (account_id, actor_id, id) WHERE is_put_aside = 1;
