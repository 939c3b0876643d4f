-- Attempts that are limited by all servers together: wrong passwords, sign-ups, registrations of apps, questions to other
-- people's servers. code is made of what is counted, by the servers' secret; number is how many were not forgiven at
-- last_at; at forgiven_at all are.
CREATE TABLE attempts (
    code TEXT PRIMARY KEY,
    number DOUBLE PRECISION NOT NULL,
    last_at BIGINT NOT NULL,
    forgiven_at BIGINT NOT NULL
);
CREATE INDEX attempts_by_end ON attempts (forgiven_at);
