-- Collages: what is being made of photos, alone or together, and the recipe of what has been made.

-- A collage is rendered to the photo photo_id; it was at rendered_revision then. With 0 it never was.
CREATE TABLE collages (
    id BIGINT PRIMARY KEY,
    owner_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    chat_id BIGINT REFERENCES chats (id) ON DELETE SET NULL,
    layout TEXT NOT NULL,
    background TEXT NOT NULL,
    spacing INTEGER NOT NULL,
    corner_radius INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    rendered_revision INTEGER NOT NULL,
    photo_id BIGINT REFERENCES photos (id) ON DELETE SET NULL,
    -- Made together, and done: nothing of it changes any more.
    is_finished INTEGER NOT NULL
);
CREATE INDEX collages_by_owner ON collages (owner_id, id);
-- Those that are still being made, which are few.
CREATE INDEX collages_unfinished ON collages (owner_id, id) WHERE is_finished = 0 AND rendered_revision <> revision;
CREATE UNIQUE INDEX collages_by_photo ON collages (photo_id) WHERE photo_id IS NOT NULL;
CREATE INDEX collages_by_chat ON collages (chat_id) WHERE chat_id IS NOT NULL;

-- Nine rows each: those beyond the layout hold photos that wait for a layout with more room. A cell with a giver and no
-- photo is one whose photo was deleted.
CREATE TABLE collage_cells (
    collage_id BIGINT NOT NULL REFERENCES collages (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    assignee_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
    giver_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
    photo_id BIGINT REFERENCES photos (id) ON DELETE SET NULL,
    zoom DOUBLE PRECISION NOT NULL,
    x DOUBLE PRECISION NOT NULL,
    y DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (collage_id, position)
);
CREATE INDEX collage_cells_by_photo ON collage_cells (photo_id) WHERE photo_id IS NOT NULL;
CREATE INDEX collage_cells_by_giver ON collage_cells (giver_id) WHERE giver_id IS NOT NULL;
CREATE INDEX collage_cells_by_assignee ON collage_cells (assignee_id) WHERE assignee_id IS NOT NULL;

-- Who fills a collage together with its owner, and the copy of the finished picture in their library.
CREATE TABLE collage_people (
    collage_id BIGINT NOT NULL REFERENCES collages (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    photo_id BIGINT REFERENCES photos (id) ON DELETE SET NULL,
    PRIMARY KEY (collage_id, account_id)
);
CREATE INDEX collage_people_by_account ON collage_people (account_id, collage_id);
CREATE INDEX collage_people_by_photo ON collage_people (photo_id) WHERE photo_id IS NOT NULL;
