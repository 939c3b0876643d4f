-- The words by which people find their messages: one row for each word of a message, however many are in the chat.
-- What happens in groups has none, and neither have messages with a view-once picture.
CREATE TABLE message_words (
    chat_id BIGINT NOT NULL,
    word TEXT NOT NULL,
    message_id BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    PRIMARY KEY (chat_id, word, message_id)
);
CREATE INDEX message_words_by_message ON message_words (message_id);

-- The messages from before have words, too. SQL can't find them; the job does, and its payload says from which message down.
INSERT INTO jobs (id, kind, payload, run_at)
SELECT 56, 'find-message-words', '9223372036854775807', 0 WHERE EXISTS (SELECT 1 FROM messages);
