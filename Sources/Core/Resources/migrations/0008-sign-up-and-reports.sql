-- What administrators have changed in the app. What isn't here is as the operator's settings say.
CREATE TABLE server_settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- A report may be about a snap or a message too. Their ids stay when they are gone; the report then says so.
-- quote is what has to be known of them without them: a snap's feed, a message's text as it was. It is emptied
-- when the report is closed.
ALTER TABLE reports ADD COLUMN snap_id BIGINT;
ALTER TABLE reports ADD COLUMN message_id BIGINT;
ALTER TABLE reports ADD COLUMN chat_id BIGINT;
ALTER TABLE reports ADD COLUMN quote TEXT NOT NULL DEFAULT '';
-- Whether a message is reported: then administrators see its photo.
CREATE INDEX reports_by_message ON reports (message_id) WHERE message_id IS NOT NULL;
