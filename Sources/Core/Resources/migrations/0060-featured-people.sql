-- People whom somebody features on their profile: the id pages them, and is NULL for everyone else whom they follow.
ALTER TABLE follows ADD COLUMN featured_id BIGINT;
CREATE INDEX follows_featured ON follows (follower_id, featured_id) WHERE featured_id IS NOT NULL;
