-- Photos, their files, and posts made of them. A comment is a post with a parent.

-- Every file in the blob store has exactly one row here, and each row one file.
CREATE TABLE blobs (
    key TEXT PRIMARY KEY,
    byte_count BIGINT NOT NULL,
    sha256 BYTEA NOT NULL
);

CREATE TABLE photos (
    id BIGINT PRIMARY KEY,
    owner_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    blurhash TEXT NOT NULL,
    colour TEXT NOT NULL,
    format TEXT NOT NULL,
    captured_at BIGINT,
    latitude DOUBLE PRECISION,
    longitude DOUBLE PRECISION
);
CREATE INDEX photos_by_owner ON photos (owner_id, id);
CREATE INDEX photos_by_kind ON photos (owner_id, kind, id);

-- variant: original, or SIZE.FORMAT such as large.webp
CREATE TABLE photo_files (
    photo_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    blob_key TEXT NOT NULL REFERENCES blobs (key),
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    PRIMARY KEY (photo_id, variant)
);
CREATE UNIQUE INDEX photo_files_by_blob ON photo_files (blob_key);

-- Portraits are public to everyone who can log in; a new picture is a new row, so URLs never change meaning.
CREATE TABLE portraits (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
);
CREATE INDEX portraits_by_account ON portraits (account_id);

CREATE TABLE portrait_files (
    portrait_id BIGINT NOT NULL REFERENCES portraits (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    blob_key TEXT NOT NULL REFERENCES blobs (key),
    PRIMARY KEY (portrait_id, variant)
);
CREATE UNIQUE INDEX portrait_files_by_blob ON portrait_files (blob_key);

CREATE TABLE posts (
    id BIGINT PRIMARY KEY,
    author_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    parent_id BIGINT REFERENCES posts (id) ON DELETE CASCADE,
    root_id BIGINT REFERENCES posts (id) ON DELETE CASCADE,
    caption TEXT NOT NULL,
    visibility TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    edited_at BIGINT,
    likes_count INTEGER NOT NULL DEFAULT 0,
    comments_count INTEGER NOT NULL DEFAULT 0
);
-- The home feed and profiles: an author's posts, newest first.
CREATE INDEX posts_by_author ON posts (author_id, id) WHERE parent_id IS NULL;
-- The public timeline.
CREATE INDEX posts_public ON posts (id) WHERE parent_id IS NULL AND visibility = 'public';
-- A thread, and the comments of an author that go when the account goes.
CREATE INDEX posts_by_root ON posts (root_id, id) WHERE root_id IS NOT NULL;
CREATE INDEX posts_by_parent ON posts (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX comments_by_author ON posts (author_id, id) WHERE parent_id IS NOT NULL;

CREATE TABLE post_photos (
    post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    photo_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    PRIMARY KEY (post_id, position)
);
CREATE INDEX post_photos_by_photo ON post_photos (photo_id);

CREATE TABLE likes (
    post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (post_id, account_id)
);
CREATE INDEX likes_by_post ON likes (post_id, id);
CREATE INDEX likes_by_account ON likes (account_id, id);

CREATE TABLE saves (
    post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (post_id, account_id)
);
CREATE INDEX saves_by_account ON saves (account_id, id);

-- Posts that someone chose not to see again.
CREATE TABLE hidden_posts (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    PRIMARY KEY (account_id, post_id)
);
CREATE INDEX hidden_posts_by_post ON hidden_posts (post_id);
