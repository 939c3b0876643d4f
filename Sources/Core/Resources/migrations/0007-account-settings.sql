-- Everything of a person in one file, made when they ask for it and kept for three days. One at a time each.
CREATE TABLE downloads (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
    -- waiting, packing, ready or failed
    state TEXT NOT NULL,
    photos_count BIGINT NOT NULL DEFAULT 0,
    photos_packed BIGINT NOT NULL DEFAULT 0,
    blob_key TEXT REFERENCES blobs (key),
    byte_count BIGINT NOT NULL DEFAULT 0,
    expires_at BIGINT
);
CREATE UNIQUE INDEX downloads_by_blob ON downloads (blob_key);
