-- The secret of a look is kept as a hash, as that of a view-once picture is. SQL can't hash what is here: looks that are
-- open during the upgrade end, as their jobs, which name them by the same value, find.
ALTER TABLE snap_views RENAME COLUMN view_id TO view_hash;
