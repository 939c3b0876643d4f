-- The group by which somebody takes part in a collage; nobody's when they were invited by name, or with a chat of two. Who
-- is no longer in the group leaves the collage.
ALTER TABLE collage_people ADD COLUMN group_id BIGINT REFERENCES chats (id) ON DELETE SET NULL;
CREATE INDEX collage_people_by_group ON collage_people (group_id, account_id) WHERE group_id IS NOT NULL;
