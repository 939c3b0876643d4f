-- The words by which search finds the captions of posts, folded (SearchWords). Comments aren't searched.
CREATE TABLE post_words (
    word TEXT NOT NULL,
    post_id BIGINT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    PRIMARY KEY (word, post_id)
);
CREATE INDEX post_words_by_post ON post_words (post_id);

-- The posts from before have words, too. SQL can't fold them; the job does, and its payload says from which post down.
INSERT INTO jobs (id, kind, payload, run_at)
SELECT 55, 'find-post-words', '9223372036854775807', 0 WHERE EXISTS (SELECT 1 FROM posts);
