-- Then & Now: pairs of a past photo and its match today.

-- When the picture was taken, kept for the owner where its use shows it.
ALTER TABLE single_use_media ADD COLUMN captured_at BIGINT;

-- A pair is a photo of the library with its two sources and the way they are laid over each other. Pairs of the same past
-- photo have the same series: the library photo they began with, or the first of them.
CREATE TABLE rephotographs (
    photo_id BIGINT PRIMARY KEY REFERENCES photos (id) ON DELETE CASCADE,
    owner_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    series_id BIGINT NOT NULL,
    -- library, or the source where the past photo was found
    then_origin TEXT NOT NULL,
    then_title TEXT NOT NULL,
    then_author TEXT NOT NULL,
    then_licence TEXT NOT NULL,
    then_licence_url TEXT,
    then_source_url TEXT,
    then_date TEXT NOT NULL,
    then_year INTEGER,
    now_year INTEGER NOT NULL,
    aspect DOUBLE PRECISION NOT NULL,
    past_zoom DOUBLE PRECISION NOT NULL,
    past_x DOUBLE PRECISION NOT NULL,
    past_y DOUBLE PRECISION NOT NULL,
    now_zoom DOUBLE PRECISION NOT NULL,
    now_x DOUBLE PRECISION NOT NULL,
    now_y DOUBLE PRECISION NOT NULL,
    -- none, refused, automatic or points
    alignment TEXT NOT NULL,
    -- Why it was refused
    alignment_reason TEXT NOT NULL,
    -- Nine numbers with spaces between, and the four of the part that both pictures cover; empty when not aligned
    transform TEXT NOT NULL,
    crop TEXT NOT NULL,
    mode TEXT NOT NULL,
    has_caption INTEGER NOT NULL,
    revision INTEGER NOT NULL
);
CREATE INDEX rephotographs_by_series ON rephotographs (owner_id, series_id, photo_id);

-- variant: then.full, then.large.webp and so on, and the pictures made of them on demand, such as made.fade
CREATE TABLE rephotograph_files (
    photo_id BIGINT NOT NULL REFERENCES rephotographs (photo_id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    blob_key TEXT NOT NULL REFERENCES blobs (key),
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    PRIMARY KEY (photo_id, variant)
);
CREATE UNIQUE INDEX rephotograph_files_by_blob ON rephotograph_files (blob_key);
