-- Filters: words, and single posts, that a person doesn't want to see.

-- contexts: where the filter counts, as names separated by spaces. action: warn (the post is folded) or hide.
CREATE TABLE post_filters (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    contexts TEXT NOT NULL,
    action TEXT NOT NULL,
    ends_at BIGINT
);
CREATE INDEX post_filters_by_account ON post_filters (account_id, id);

CREATE TABLE filter_words (
    id BIGINT PRIMARY KEY,
    filter_id BIGINT NOT NULL REFERENCES post_filters (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    is_whole INTEGER NOT NULL
);
CREATE INDEX filter_words_by_filter ON filter_words (filter_id, id);

-- account_id is that of the filter, so that a page of posts is looked up at once.
CREATE TABLE filter_posts (
    id BIGINT PRIMARY KEY,
    filter_id BIGINT NOT NULL REFERENCES post_filters (id) ON DELETE CASCADE,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    UNIQUE (filter_id, post_id)
);
CREATE INDEX filter_posts_by_account ON filter_posts (account_id, post_id);
CREATE INDEX filter_posts_by_post ON filter_posts (post_id);
