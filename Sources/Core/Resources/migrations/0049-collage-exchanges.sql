-- The photos of collages that are filled together in the private feeds of those who fill them. A photo gets its exchange_id,
-- which is ordered by time, when it can be seen by others in its cell; who may see it is decided when a feed is read.
ALTER TABLE collage_cells ADD COLUMN exchange_id BIGINT;
CREATE TABLE collage_exchanges (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    exchange_id BIGINT NOT NULL,
    collage_id BIGINT NOT NULL REFERENCES collages (id) ON DELETE CASCADE,
    PRIMARY KEY (account_id, exchange_id)
);
CREATE INDEX collage_exchanges_by_collage ON collage_exchanges (collage_id, account_id);

-- Photos of earlier collages come as if they had been given when the collage was begun. A finished collage shows them to
-- its owner and to those who gave one.
UPDATE collage_cells SET exchange_id = collage_id + position
WHERE photo_id IS NOT NULL AND collage_id IN (SELECT collage_id FROM collage_people);
INSERT INTO collage_exchanges (account_id, exchange_id, collage_id)
SELECT p.account_id, k.exchange_id, k.collage_id
FROM collage_cells k JOIN collage_people p ON p.collage_id = k.collage_id JOIN collages c ON c.id = k.collage_id
WHERE k.exchange_id IS NOT NULL AND (c.is_finished = 0
    OR EXISTS (SELECT 1 FROM collage_cells g WHERE g.collage_id = c.id AND g.giver_id = p.account_id))
ON CONFLICT (account_id, exchange_id) DO NOTHING;
INSERT INTO collage_exchanges (account_id, exchange_id, collage_id)
SELECT c.owner_id, k.exchange_id, k.collage_id
FROM collage_cells k JOIN collages c ON c.id = k.collage_id WHERE k.exchange_id IS NOT NULL
ON CONFLICT (account_id, exchange_id) DO NOTHING;
