-- Then & Now's pairs are called pairs.
ALTER TABLE rephotographs RENAME TO pairs;
DROP INDEX rephotographs_by_series;
CREATE INDEX pairs_by_series ON pairs (owner_id, series_id, photo_id);
ALTER TABLE rephotograph_files RENAME TO pair_files;
DROP INDEX rephotograph_files_by_blob;
CREATE UNIQUE INDEX pair_files_by_blob ON pair_files (blob_key);

-- A key that made a pair goes on meaning it.
UPDATE idempotency_keys SET key = 'pair ' || substr(key, 14) WHERE key LIKE 'rephotograph %';
