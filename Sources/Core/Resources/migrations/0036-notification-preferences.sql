-- What people want announced on their devices, and which chats they mute.

-- An account without a row has the default preferences. silent_topics are names, separated by spaces. Quiet hours are
-- minutes after midnight by the clocks of the time zone, all three NULL for a person who never set any; is_quiet says
-- whether they are switched on.
CREATE TABLE notification_preferences (
    account_id BIGINT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    silent_topics TEXT NOT NULL,
    shows_previews INTEGER NOT NULL,
    is_quiet INTEGER NOT NULL,
    quiet_from INTEGER,
    quiet_to INTEGER,
    time_zone TEXT
);

-- The log-ins whose devices were removed in Settings → Notifications: such a device doesn't subscribe again by itself.
CREATE TABLE removed_push_devices (
    session_id BIGINT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE
);

-- Whether the member mutes the chat; without an end until they unmute it. A mute whose end has passed is over, and
-- its row may still say that it is muted.
ALTER TABLE chat_members ADD COLUMN is_muted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chat_members ADD COLUMN mute_ends_at BIGINT;
