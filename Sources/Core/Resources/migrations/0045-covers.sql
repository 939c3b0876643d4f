-- Pictures and words that are covered until a tap, and the language of the words.

-- warning: why the post is covered, empty without words; NULL when nothing is covered.
-- language: a tag of BCP 47, such as "de".
ALTER TABLE posts ADD COLUMN warning TEXT;
ALTER TABLE posts ADD COLUMN language TEXT;
ALTER TABLE post_versions ADD COLUMN warning TEXT;

-- covering: which pictures the person sees covered: 'marked', 'none' or 'all'.
ALTER TABLE accounts ADD COLUMN covering TEXT NOT NULL DEFAULT 'marked';

-- What a person's new posts begin with.
CREATE TABLE posting_defaults (
    account_id BIGINT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    visibility TEXT NOT NULL,
    is_covered INTEGER NOT NULL,
    language TEXT
);
