-- The collage made together of which this one is a copy: its photos of others are lent to the copy's owner.
ALTER TABLE collages ADD COLUMN copied_from BIGINT REFERENCES collages (id) ON DELETE SET NULL;
CREATE INDEX collages_by_copied_from ON collages (copied_from, owner_id) WHERE copied_from IS NOT NULL;

-- A link that shows one post, or one photo of a library, to anyone who has it, until it expires or is revoked. Exactly
-- one of both is named, and the link goes with it.
CREATE TABLE guest_links_new (
    token TEXT PRIMARY KEY,
    post_id BIGINT UNIQUE REFERENCES posts (id) ON DELETE CASCADE,
    photo_id BIGINT UNIQUE REFERENCES photos (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL,
    CHECK ((post_id IS NULL) <> (photo_id IS NULL))
);
INSERT INTO guest_links_new (token, post_id, expires_at) SELECT token, post_id, expires_at FROM guest_links;
DROP TABLE guest_links;
ALTER TABLE guest_links_new RENAME TO guest_links;
