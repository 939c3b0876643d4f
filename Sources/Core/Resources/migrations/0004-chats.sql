-- Conversations of two: who takes part, what was said, and what was saved of it.

-- last_number is the number of the newest message, messages_count how many are not deleted.
CREATE TABLE chats (
    id BIGINT PRIMARY KEY,
    last_number INTEGER NOT NULL DEFAULT 0,
    messages_count INTEGER NOT NULL DEFAULT 0
);

-- A chat as one of its two sees it. is_request = 1: it waits until the account takes it.
-- last_message_id is 0 when the account sees no message of it; what is not above cleared_through it has
-- removed for itself. The marks are ids of messages: all up to that one have arrived, or were read.
CREATE TABLE chat_members (
    chat_id BIGINT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    peer_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    is_request INTEGER NOT NULL,
    last_message_id BIGINT NOT NULL DEFAULT 0,
    cleared_through BIGINT NOT NULL DEFAULT 0,
    delivered_through BIGINT NOT NULL DEFAULT 0,
    read_through BIGINT NOT NULL DEFAULT 0,
    read_at BIGINT,
    unread_count INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (chat_id, account_id)
);
-- One chat a pair.
CREATE UNIQUE INDEX chat_members_by_pair ON chat_members (account_id, peer_id);
CREATE INDEX chat_members_by_peer ON chat_members (peer_id);
-- The list of conversations and that of requests, newest first.
CREATE INDEX chat_members_by_time ON chat_members (account_id, is_request, last_message_id);
-- The badge.
CREATE INDEX chat_members_unread ON chat_members (account_id) WHERE unread_count > 0;

-- A deleted message keeps its row, emptied, so that its key never makes it again.
-- is_once = 1: it is a picture that its receiver may see once; opened_at is when that was used up.
CREATE TABLE messages (
    id BIGINT PRIMARY KEY,
    chat_id BIGINT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    sender_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    idempotency_key TEXT,
    text TEXT NOT NULL,
    photo_id BIGINT REFERENCES photos (id) ON DELETE SET NULL,
    is_once INTEGER NOT NULL DEFAULT 0,
    opened_at BIGINT,
    is_deleted INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX messages_by_number ON messages (chat_id, number);
CREATE INDEX messages_by_chat ON messages (chat_id, id) WHERE is_deleted = 0;
CREATE UNIQUE INDEX messages_by_key ON messages (sender_id, idempotency_key);
CREATE INDEX messages_by_photo ON messages (photo_id) WHERE photo_id IS NOT NULL;

-- The private feed: one row for each of the two who may see the photo, read by the account's own key.
CREATE TABLE exchanged_photos (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    message_id BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    PRIMARY KEY (account_id, message_id)
);
CREATE INDEX exchanged_photos_by_message ON exchanged_photos (message_id);

-- Photos of messages that went into somebody's library; a second save finds the first.
CREATE TABLE saved_photos (
    message_id BIGINT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    photo_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    PRIMARY KEY (message_id, account_id)
);
CREATE INDEX saved_photos_by_account ON saved_photos (account_id);
CREATE INDEX saved_photos_by_photo ON saved_photos (photo_id);

-- Pictures that wait to be seen once: a row from the sending to the erasure. A view is open from opened_at
-- until the page closes it; view_hash is the SHA-256 of what names it, bound to the log-in that opened.
CREATE TABLE once_pictures (
    message_id BIGINT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    description TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    expires_at BIGINT NOT NULL,
    opened_at BIGINT,
    session_id BIGINT,
    view_hash TEXT UNIQUE,
    shown_at BIGINT
);
CREATE INDEX once_pictures_by_end ON once_pictures (expires_at);

CREATE TABLE once_picture_files (
    message_id BIGINT NOT NULL REFERENCES once_pictures (message_id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    blob_key TEXT NOT NULL REFERENCES blobs (key),
    PRIMARY KEY (message_id, variant)
);
CREATE UNIQUE INDEX once_picture_files_by_blob ON once_picture_files (blob_key);
