-- is_dropped = 1: the account has dropped this request. What the other writes then stays out of its sight, and out
-- of its counts, until it takes the chat up by itself.
ALTER TABLE chat_members ADD COLUMN is_dropped INTEGER NOT NULL DEFAULT 0;
UPDATE chat_members SET is_dropped = 1 WHERE is_request = 1 AND last_message_id = 0 AND cleared_through > 0;
