-- The posts of everyone without the comments, for the first look of a home feed.
CREATE INDEX posts_newest ON posts (id) WHERE parent_id IS NULL;
