-- A message may answer another one of its chat. A deleted message keeps its row, emptied, so that its answers can say
-- that it was deleted.
ALTER TABLE messages ADD COLUMN in_reply_to_id BIGINT REFERENCES messages (id) ON DELETE SET NULL;
CREATE INDEX messages_by_reply ON messages (in_reply_to_id) WHERE in_reply_to_id IS NOT NULL;

-- One emoji a person and message.
CREATE TABLE message_reactions (
    message_id BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    emoji TEXT NOT NULL,
    PRIMARY KEY (message_id, account_id)
);
CREATE INDEX message_reactions_by_account ON message_reactions (account_id);
