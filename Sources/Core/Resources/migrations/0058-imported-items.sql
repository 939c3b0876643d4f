-- What people have brought along from other services, so that bringing it again changes nothing.

-- source: the name of the service. key: a photo is file:SHA-256 of its bytes, a post is post:ID over there. photo_id and
-- post_id: what it is here; both are null when that was deleted, and it isn't brought again.
CREATE TABLE imported_items (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    key TEXT NOT NULL,
    id BIGINT NOT NULL UNIQUE,
    photo_id BIGINT REFERENCES photos (id) ON DELETE SET NULL,
    post_id BIGINT REFERENCES posts (id) ON DELETE SET NULL,
    PRIMARY KEY (account_id, source, key)
);
CREATE INDEX imported_items_by_account ON imported_items (account_id, id);
CREATE INDEX imported_items_by_photo ON imported_items (photo_id);
CREATE INDEX imported_items_by_post ON imported_items (post_id);
