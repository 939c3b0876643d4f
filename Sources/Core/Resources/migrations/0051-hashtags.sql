-- The hashtags of posts and comments, and those that people follow or feature on their profile.

-- post_id is the post, or the one under which the comment source_id was written. name is folded, without the sign.
-- is_listed: whether source_id is the post itself and the post is for everyone, so that Home shows it to those who follow
-- the hashtag.
CREATE TABLE post_tags (
    name TEXT NOT NULL,
    post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    source_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    author_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    is_listed INTEGER NOT NULL,
    PRIMARY KEY (name, post_id, source_id)
);
CREATE INDEX post_tags_listed ON post_tags (name, post_id) WHERE is_listed = 1;
CREATE INDEX post_tags_by_post ON post_tags (post_id);
CREATE INDEX post_tags_by_source ON post_tags (source_id);
CREATE INDEX post_tags_by_author ON post_tags (author_id, name, post_id);

-- written: the hashtag as the person saw it.
CREATE TABLE followed_tags (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    written TEXT NOT NULL,
    id BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (account_id, name)
);
CREATE INDEX followed_tags_by_account ON followed_tags (account_id, id);

CREATE TABLE featured_tags (
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    written TEXT NOT NULL,
    id BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (account_id, name)
);
CREATE INDEX featured_tags_by_account ON featured_tags (account_id, id);

-- The posts from before have hashtags, too. SQL can't find them; the job does, and its payload says from which post down.
INSERT INTO jobs (id, kind, payload, run_at)
SELECT 51, 'find-hashtags', '9223372036854775807', 0 WHERE EXISTS (SELECT 1 FROM posts);
