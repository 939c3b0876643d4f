-- Old photos found near a place, and the places of posts whose authors let others find them.

-- The newest search that an account has begun: of several at once, only this one may keep what it finds.
CREATE TABLE past_search_turns (
    account_id BIGINT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    turn BIGINT NOT NULL
);

-- The last search of an account. sources: the names of those asked, with commas.
CREATE TABLE past_searches (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    latitude DOUBLE PRECISION NOT NULL,
    longitude DOUBLE PRECISION NOT NULL,
    radius INTEGER NOT NULL,
    from_year INTEGER NOT NULL,
    to_year INTEGER NOT NULL,
    sources TEXT NOT NULL,
    used_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX past_searches_by_account ON past_searches (account_id);

-- What each source answered.
CREATE TABLE past_search_answers (
    search_id BIGINT NOT NULL REFERENCES past_searches (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    photos_count INTEGER NOT NULL,
    message TEXT,
    PRIMARY KEY (search_id, position)
);

-- What was found, in the order of the list. photo_id: a photo of this server, which has its own files; else the picture
-- comes from picture_url, and failure says why it doesn't.
CREATE TABLE past_photos (
    id BIGINT PRIMARY KEY,
    search_id BIGINT NOT NULL REFERENCES past_searches (id) ON DELETE CASCADE,
    owner_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    source TEXT NOT NULL,
    source_title TEXT NOT NULL,
    source_key TEXT NOT NULL,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    licence TEXT NOT NULL,
    licence_url TEXT,
    page_url TEXT NOT NULL,
    date_words TEXT NOT NULL,
    from_year INTEGER NOT NULL,
    to_year INTEGER NOT NULL,
    latitude DOUBLE PRECISION NOT NULL,
    longitude DOUBLE PRECISION NOT NULL,
    distance INTEGER NOT NULL,
    picture_url TEXT NOT NULL,
    full_url TEXT,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    photo_id BIGINT REFERENCES photos (id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    failure TEXT
);
CREATE INDEX past_photos_by_search ON past_photos (search_id, position);
CREATE INDEX past_photos_by_owner ON past_photos (owner_id, id);
CREATE INDEX past_photos_by_photo ON past_photos (photo_id) WHERE photo_id IS NOT NULL;

-- variant: full.jpeg, or SIZE.FORMAT such as large.webp
CREATE TABLE past_photo_files (
    past_photo_id BIGINT NOT NULL REFERENCES past_photos (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    blob_key TEXT NOT NULL REFERENCES blobs (key),
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    PRIMARY KEY (past_photo_id, variant)
);
CREATE UNIQUE INDEX past_photo_files_by_blob ON past_photo_files (blob_key);

-- Places and years of the photos of posts that others may find by them. The place is rounded to about 100 m; cell is its
-- number in a grid of tenths of a degree.
CREATE TABLE post_places (
    post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    photo_id BIGINT NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    cell INTEGER NOT NULL,
    latitude DOUBLE PRECISION NOT NULL,
    longitude DOUBLE PRECISION NOT NULL,
    taken_year INTEGER NOT NULL,
    PRIMARY KEY (post_id, photo_id)
);
CREATE INDEX post_places_by_cell ON post_places (cell, taken_year);
CREATE INDEX post_places_by_photo ON post_places (photo_id);
