-- The point that the small picture of a sealed photo shows: from -1 to 1, to the right and upwards, (0, 0) in the middle.
ALTER TABLE contract_stakes ADD COLUMN focus_x DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE contract_stakes ADD COLUMN focus_y DOUBLE PRECISION NOT NULL DEFAULT 0;
