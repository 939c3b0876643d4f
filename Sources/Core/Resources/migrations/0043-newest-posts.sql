-- The posts of everyone without the comments, for the first look of a home feed, and those of an author, newest first.
CREATE INDEX posts_newest ON posts (id) WHERE parent_id IS NULL;
CREATE INDEX posts_newest_by_author ON posts (author_id, id) WHERE parent_id IS NULL;
