-- Posts that stand first on their author's profile, and what captions said before they were changed.

CREATE TABLE pinned_posts (
    post_id BIGINT PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id BIGINT NOT NULL UNIQUE
);
CREATE INDEX pinned_posts_by_account ON pinned_posts (account_id, id);

-- written_at: when the caption was written, which is when the post was made or last changed before.
CREATE TABLE post_versions (
    id BIGINT PRIMARY KEY,
    post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    caption TEXT NOT NULL,
    written_at BIGINT NOT NULL
);
CREATE INDEX post_versions_by_post ON post_versions (post_id, id);
