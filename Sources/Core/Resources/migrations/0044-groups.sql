-- Chats of several people, in the tables of those of two.

-- A group has a name, or is called by its members; terms are the words of its name that a search finds. last_message_id is
-- that of any chat, 0 while it has none.
ALTER TABLE chats ADD COLUMN is_group INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE chats ADD COLUMN terms TEXT NOT NULL DEFAULT '';
ALTER TABLE chats ADD COLUMN owner_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL;
ALTER TABLE chats ADD COLUMN picture_id BIGINT REFERENCES photos (id) ON DELETE SET NULL;
ALTER TABLE chats ADD COLUMN last_message_id BIGINT NOT NULL DEFAULT 0;
UPDATE chats SET last_message_id = COALESCE(
    (SELECT max(x.id) FROM messages x WHERE x.chat_id = chats.id AND x.is_deleted = 0), 0);
CREATE INDEX chats_by_owner ON chats (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX chats_by_picture ON chats (picture_id) WHERE picture_id IS NOT NULL;

-- A member of a group has no peer_id. A message in a group changes no row of its readers: their last_message_id stays 0,
-- and what came since the chat's message number counted_through is unread besides unread_count.
CREATE TABLE chat_members_anew (
    chat_id BIGINT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    peer_id BIGINT REFERENCES accounts (id) ON DELETE CASCADE,
    is_request INTEGER NOT NULL,
    last_message_id BIGINT NOT NULL DEFAULT 0,
    cleared_through BIGINT NOT NULL DEFAULT 0,
    delivered_through BIGINT NOT NULL DEFAULT 0,
    read_through BIGINT NOT NULL DEFAULT 0,
    read_at BIGINT,
    unread_count INTEGER NOT NULL DEFAULT 0,
    counted_through INTEGER NOT NULL DEFAULT 0,
    is_dropped INTEGER NOT NULL DEFAULT 0,
    is_muted INTEGER NOT NULL DEFAULT 0,
    mute_ends_at BIGINT,
    joined_at BIGINT,
    PRIMARY KEY (chat_id, account_id)
);
INSERT INTO chat_members_anew (chat_id, account_id, peer_id, is_request, last_message_id, cleared_through,
    delivered_through, read_through, read_at, unread_count, is_dropped, is_muted, mute_ends_at)
SELECT chat_id, account_id, peer_id, is_request, last_message_id, cleared_through, delivered_through, read_through,
    read_at, unread_count, is_dropped, is_muted, mute_ends_at FROM chat_members;
DROP TABLE chat_members;
ALTER TABLE chat_members_anew RENAME TO chat_members;
CREATE UNIQUE INDEX chat_members_by_pair ON chat_members (account_id, peer_id);
CREATE INDEX chat_members_by_peer ON chat_members (peer_id);
CREATE INDEX chat_members_by_time ON chat_members (account_id, is_request, last_message_id);
CREATE INDEX chat_members_unread ON chat_members (account_id) WHERE unread_count > 0;
-- A person's groups.
CREATE INDEX chat_members_of_groups ON chat_members (account_id, chat_id) WHERE peer_id IS NULL;

-- What happened in a group stands between its messages: event says what, subject_id whom it concerns besides its sender,
-- text the new name.
ALTER TABLE messages ADD COLUMN event TEXT;
ALTER TABLE messages ADD COLUMN subject_id BIGINT REFERENCES accounts (id) ON DELETE CASCADE;
CREATE INDEX messages_by_subject ON messages (subject_id) WHERE subject_id IS NOT NULL;

-- Who has looked at a picture that each may see once. A look is open while it has a view_hash, the SHA-256 of what names
-- it, bound to the log-in that opened.
CREATE TABLE once_looks (
    message_id BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    opened_at BIGINT NOT NULL,
    session_id BIGINT,
    view_hash TEXT UNIQUE,
    shown_at BIGINT,
    PRIMARY KEY (message_id, account_id)
);
CREATE INDEX once_looks_by_account ON once_looks (account_id);
INSERT INTO once_looks (message_id, account_id, opened_at, session_id, view_hash, shown_at)
SELECT x.id, m.account_id, x.opened_at, o.session_id, o.view_hash, o.shown_at
FROM messages x JOIN chat_members m ON m.chat_id = x.chat_id AND m.account_id <> x.sender_id
LEFT JOIN once_pictures o ON o.message_id = x.id
WHERE x.opened_at IS NOT NULL;
ALTER TABLE messages DROP COLUMN opened_at;

CREATE TABLE once_pictures_anew (
    message_id BIGINT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    description TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    expires_at BIGINT NOT NULL
);
INSERT INTO once_pictures_anew (message_id, description, width, height, expires_at)
SELECT message_id, description, width, height, expires_at FROM once_pictures;
CREATE TABLE once_picture_files_anew (
    message_id BIGINT NOT NULL REFERENCES once_pictures_anew (message_id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    blob_key TEXT NOT NULL REFERENCES blobs (key),
    PRIMARY KEY (message_id, variant)
);
INSERT INTO once_picture_files_anew (message_id, variant, blob_key)
SELECT message_id, variant, blob_key FROM once_picture_files;
DROP TABLE once_picture_files;
DROP TABLE once_pictures;
ALTER TABLE once_pictures_anew RENAME TO once_pictures;
ALTER TABLE once_picture_files_anew RENAME TO once_picture_files;
CREATE INDEX once_pictures_by_end ON once_pictures (expires_at);
CREATE UNIQUE INDEX once_picture_files_by_blob ON once_picture_files (blob_key);
