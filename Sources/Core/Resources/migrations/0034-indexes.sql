-- Indexes for what read whole tables.

-- An author's posts, newest first, and whatever they wrote: erasing an account looks for both.
DROP INDEX posts_by_author;
CREATE INDEX posts_by_author ON posts (author_id, parent_id, id);

-- The open reports, by what they are about: closed ones stay for good.
DROP INDEX reports_open;
CREATE INDEX reports_open ON reports (account_id, subject_id, reporter_id, id) WHERE closed_at IS NULL;

-- What failed and is tried again, which is little beside what waits for its time.
CREATE INDEX jobs_failing ON jobs (id) WHERE last_error IS NOT NULL;

-- A cross-post that its author found by hand after disconnecting has no address.
UPDATE cross_posts SET url = NULL WHERE url = '';
