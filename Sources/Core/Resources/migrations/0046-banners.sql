-- The banner above a profile is a picture like a portrait, in the same tables.
ALTER TABLE accounts ADD COLUMN banner_id BIGINT;
