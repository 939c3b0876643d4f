-- Fills a migrated, empty database with people and with so many posts and messages, straight and in their order.
--
--     psql -v people=1000 -v posts=100000 -f fill.sql
--
-- Some write far more than others (the square of a chance), everybody follows 100 people, popular ones more often, and has
-- 20 conversations of very different lengths, a tenth of whose messages show a photo. Each post has a photo and a like, each
-- person 50 notifications. Names are made of 200 first and 1,000 last names. There are no files: rows of renditions are in no
-- request that is measured. The last 50 people are the viewers: their tokens are "bench-NUMBER" for programs and
-- "browser-NUMBER" for browsers.
\set ON_ERROR_STOP on
\set viewers 50
SET session_replication_role = replica;
SET synchronous_commit = off;
SET maintenance_work_mem = '1GB';
SET work_mem = '512MB';
SELECT setseed(0.28);

-- An identifier of a moment: the seconds before now.
CREATE FUNCTION pg_temp.id_at(seconds DOUBLE PRECISION, number BIGINT) RETURNS BIGINT LANGUAGE sql AS
    'SELECT ((extract(epoch FROM transaction_timestamp()) * 1000 - 1704067200000 - seconds * 1000)::BIGINT << 22) | (number & 4095)';

-- Indexes are made once all rows are there.
CREATE TEMP TABLE later AS
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes JOIN pg_class c ON c.relname = indexname
    JOIN pg_index i ON i.indexrelid = c.oid
    WHERE schemaname = 'public' AND tablename IN
        ('posts', 'photos', 'post_photos', 'likes', 'messages', 'notifications', 'follows', 'chat_members', 'exchanged_photos')
        AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid);
SELECT format('DROP INDEX %I', name) FROM later \gexec

CREATE TEMP TABLE person AS
    SELECT n, pg_temp.id_at(40000000 - n * 60.0, n) AS id,
        'f' || chr(97 + n % 20) || chr(97 + n / 20 % 10) || 'n' AS first,
        'l' || chr(97 + n * 7 % 25) || chr(97 + n / 25 % 10) || chr(97 + n / 250 % 4) || 'r' AS last
    FROM generate_series(0, :people - 1) n;
CREATE UNIQUE INDEX ON person (n);
INSERT INTO accounts (id, username, username_folded, display_name, bio, password, following_count)
    SELECT id, first || n, first || n, initcap(first || ' ' || last), 'Film, bread, bad jokes.', '-', 100 FROM person;
INSERT INTO account_terms SELECT DISTINCT term, id FROM person, unnest(ARRAY[first, last, first || n]) term;
INSERT INTO follows (follower_id, followee_id, id, is_accepted)
    SELECT a.id, b.id, pg_temp.id_at(35000000, 0) + row_number() OVER (), 1 FROM
        (SELECT DISTINCT n, CASE WHEN k < 50 THEN (:people * power(random(), 2))::INT % :people
            ELSE (n + 1 + (k * 37) % (:people - 1)) % :people END AS o
        FROM generate_series(0, :people - 1) n, generate_series(0, 99) k) f
    JOIN person a ON a.n = f.n JOIN person b ON b.n = f.o WHERE f.n <> f.o;
INSERT INTO sessions (id, account_id, token_hash, kind, device, seen_at)
    SELECT pg_temp.id_at(1000, v) + k * 100, p.id, encode(sha256((name || '-' || v)::BYTEA), 'hex'), kind, 'bench',
        (extract(epoch FROM now()) * 1000)::BIGINT
    FROM generate_series(1, :viewers) v JOIN person p ON p.n = :people - v,
        (VALUES (0, 'bench', 'token'), (1, 'browser', 'browser')) kinds (k, name, kind);

-- A post every so many seconds of a year.
CREATE TEMP TABLE post AS
    SELECT i, pg_temp.id_at(31000000.0 * (1 - i::DOUBLE PRECISION / :posts) + 60, i) AS id,
        (:people * power(random(), 2))::INT % :people AS author, (:people * random())::INT % :people AS fan
    FROM generate_series(0, :posts - 1) i;
INSERT INTO posts (id, author_id, caption, visibility, likes_count)
    SELECT post.id, a.id, 'On duty since seven, as every day. The light was better yesterday, and who are we to argue?',
        CASE WHEN i % 20 = 0 THEN 'public' ELSE 'private' END, 1
    FROM post JOIN person a ON a.n = post.author ORDER BY i;
INSERT INTO photos (id, owner_id, kind, description, width, height, blurhash, colour, format)
    SELECT post.id - (2000::BIGINT << 22), a.id, 'upload', 'A street in the evening, wet from rain', 4032, 3024,
        'LEHV6nWB2yk8pyo0adR*.7kCMdnj', '#806040', 'jpeg'
    FROM post JOIN person a ON a.n = post.author ORDER BY i;
INSERT INTO post_photos (post_id, position, photo_id) SELECT id, 0, id - (2000::BIGINT << 22) FROM post ORDER BY i;
INSERT INTO likes (post_id, account_id, id)
    SELECT post.id, a.id, post.id + (30000::BIGINT << 22) FROM post JOIN person a ON a.n = post.fan ORDER BY i;
UPDATE accounts a SET posts_count = c.posts, newest_post_id = c.newest FROM
    (SELECT author, count(*) AS posts, max(id) AS newest FROM post GROUP BY author) c JOIN person p ON p.n = c.author
    WHERE a.id = p.id;
UPDATE accounts a SET followers_count = c.followers FROM
    (SELECT followee_id, count(*) AS followers FROM follows GROUP BY followee_id) c WHERE a.id = c.followee_id;
INSERT INTO notifications (id, account_id, kind, actor_id, subject_id, group_id)
    SELECT pg_temp.id_at(900 - k, 0) + row_number() OVER (), a.id, 'like', b.id, s.id, s.id
    FROM (SELECT author, id, row_number() OVER (PARTITION BY author ORDER BY i DESC) AS place FROM post) s
    JOIN person a ON a.n = s.author, generate_series(0, 1) k
    JOIN person b ON true WHERE s.place <= 25 AND b.n = (a.n + 1 + s.place * 2 + k) % :people;

-- Conversations: ten for each person to the next, ten from those before.
CREATE TEMP TABLE chat AS
    SELECT c, pg_temp.id_at(34000000 - c * 0.5, c) AS id, a.id AS one, b.id AS other
    FROM generate_series(0, :people * 10 - 1) c
    JOIN person a ON a.n = c % :people JOIN person b ON b.n = (c % :people + 1 + c / :people) % :people;
CREATE UNIQUE INDEX ON chat (c);
INSERT INTO chats (id) SELECT id FROM chat;
INSERT INTO messages (id, chat_id, number, sender_id, text, photo_id)
    SELECT m.id, c.id, row_number() OVER (PARTITION BY m.chat ORDER BY m.i), CASE WHEN m.i % 2 = 0 THEN c.one ELSE c.other END,
        'Did you see the one from the bridge? I think the fog does half of the work.',
        CASE WHEN m.i % 10 = 0 THEN p.id - (2000::BIGINT << 22) END
    FROM (SELECT i, pg_temp.id_at(31000000.0 * (1 - i::DOUBLE PRECISION / :posts) + 30, i + 2000) AS id,
        ((:people * 10)::BIGINT * power(random(), 2))::INT % (:people * 10) AS chat FROM generate_series(0, :posts - 1) i) m
    JOIN chat c ON c.c = m.chat LEFT JOIN post p ON p.i = m.i AND m.i % 10 = 0
    ORDER BY m.i;
INSERT INTO exchanged_photos (account_id, message_id)
    SELECT who, m.id FROM messages m JOIN chat c ON c.id = m.chat_id, unnest(ARRAY[c.one, c.other]) who
    WHERE m.photo_id IS NOT NULL;
UPDATE chats SET last_number = s.number, messages_count = s.number FROM
    (SELECT chat_id, count(*)::INT AS number FROM messages GROUP BY chat_id) s WHERE s.chat_id = chats.id;
INSERT INTO chat_members (chat_id, account_id, peer_id, is_request, last_message_id, delivered_through, read_through)
    SELECT c.id, w.who, w.peer, 0, COALESCE(s.newest, 0), COALESCE(s.newest, 0), COALESCE(s.newest, 0)
    FROM chat c LEFT JOIN (SELECT chat_id, max(id) AS newest FROM messages GROUP BY chat_id) s ON s.chat_id = c.id,
        LATERAL (VALUES (c.one, c.other), (c.other, c.one)) w (who, peer);

SELECT definition FROM later \gexec
VACUUM ANALYZE;
