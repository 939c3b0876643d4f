-- The point that the square of a photo shows: from -1 to 1, to the right and upwards, (0, 0) in the middle.
-- square_is_due: the files of the square are still around another point, and a job is going to cut them again.
ALTER TABLE photos ADD COLUMN focus_x DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE photos ADD COLUMN focus_y DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE photos ADD COLUMN square_is_due INTEGER NOT NULL DEFAULT 0;
