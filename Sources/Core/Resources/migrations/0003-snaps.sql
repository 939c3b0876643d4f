-- Pictures that may be seen once: uploads that wait for their one use, and snaps.

-- Uploaded for a snap, a view-once message or a stake; used once within the hour, or erased.
-- blurhash and colour are empty unless the purpose shows the picture more than once.
CREATE TABLE single_use_media (
    id BIGINT PRIMARY KEY,
    owner_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    purpose TEXT NOT NULL,
    description TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    blurhash TEXT NOT NULL,
    colour TEXT NOT NULL,
    format TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX single_use_media_by_owner ON single_use_media (owner_id, id);

-- variant: SIZE.FORMAT such as large.webp
CREATE TABLE single_use_media_files (
    media_id BIGINT NOT NULL REFERENCES single_use_media (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    blob_key TEXT NOT NULL REFERENCES blobs (key),
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    PRIMARY KEY (media_id, variant)
);
CREATE UNIQUE INDEX single_use_media_files_by_blob ON single_use_media_files (blob_key);

-- The row stays until expires_at, so that friends find it read and the poster who has seen it. What shows the
-- picture (files, description) goes when the last of them has seen it: then picture_erased_at says when.
CREATE TABLE snaps (
    id BIGINT PRIMARY KEY,
    poster_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    feed TEXT NOT NULL,
    description TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    viewers_count INTEGER NOT NULL DEFAULT 0,
    picture_erased_at BIGINT
);
CREATE INDEX snaps_by_poster ON snaps (poster_id, id);
CREATE INDEX snaps_by_feed ON snaps (feed, id);

CREATE TABLE snap_files (
    snap_id BIGINT NOT NULL REFERENCES snaps (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    blob_key TEXT NOT NULL REFERENCES blobs (key),
    PRIMARY KEY (snap_id, variant)
);
CREATE UNIQUE INDEX snap_files_by_blob ON snap_files (blob_key);

-- One row a snap and viewer, ever: the insert that succeeds is the opening. view_id is a secret that only the
-- page has that opened; session_id is the log-in it is bound to.
CREATE TABLE snap_views (
    snap_id BIGINT NOT NULL REFERENCES snaps (id) ON DELETE CASCADE,
    viewer_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    view_id TEXT NOT NULL UNIQUE,
    session_id BIGINT NOT NULL,
    opened_at BIGINT NOT NULL,
    shown_at BIGINT,
    closed_at BIGINT,
    id BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (snap_id, viewer_id)
);
CREATE INDEX snap_views_by_time ON snap_views (snap_id, id);
CREATE INDEX snap_views_by_viewer ON snap_views (viewer_id);
