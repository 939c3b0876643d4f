-- The snap that a notification tells of: with the snap it goes. Nobody is told twice of one.
ALTER TABLE notifications ADD COLUMN snap_id BIGINT REFERENCES snaps (id) ON DELETE CASCADE;
CREATE UNIQUE INDEX notifications_by_snap ON notifications (snap_id, account_id) WHERE snap_id IS NOT NULL;
