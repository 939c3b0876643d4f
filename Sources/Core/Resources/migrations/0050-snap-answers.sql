-- snap_id: the snap of the other person that a message answers. The message outlives the snap, so nothing refers to it.
ALTER TABLE messages ADD COLUMN snap_id BIGINT;
