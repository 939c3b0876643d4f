-- Contracts: two people stake a photo each on a promise.

CREATE TABLE contracts (
    id BIGINT PRIMARY KEY,
    promise TEXT NOT NULL,
    -- What the post of a breach says; empty for a plain sentence
    breach_text TEXT NOT NULL,
    -- proposed, active, claimed, disputed, or how it ended
    state TEXT NOT NULL,
    ends_at BIGINT NOT NULL,
    -- Until when a claim may be made
    closes_at BIGINT NOT NULL,
    -- When the state moves on by itself, if it isn't paused
    deadline BIGINT,
    -- Since when no time passes
    paused_at BIGINT,
    -- Roles: proposer, partner or witness
    offer_by TEXT,
    claim_by TEXT,
    claim_rule INTEGER,
    claims_count INTEGER NOT NULL,
    breaker TEXT,
    has_witness INTEGER NOT NULL,
    -- Grows with every change: two moves at once can't both be the next
    revision INTEGER NOT NULL
);

CREATE TABLE contract_rules (
    contract_id BIGINT NOT NULL REFERENCES contracts (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (contract_id, position)
);

-- Who takes part. A row stays when its account goes, and names nobody then: the other still reads the contract.
CREATE TABLE contract_members (
    contract_id BIGINT NOT NULL REFERENCES contracts (id) ON DELETE CASCADE,
    -- proposer, partner or witness
    role TEXT NOT NULL,
    account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
    -- The list of theirs in which it is: active, waiting or ended; hidden from a witness before it is accepted
    list TEXT NOT NULL,
    -- null before they consented, and once they have taken it back
    consented_at BIGINT,
    -- server, connected, or both with a space between
    publish_to TEXT NOT NULL,
    -- The connected account that they chose, such as @ana@mastodon.social; null for none
    connected_as TEXT,
    PRIMARY KEY (contract_id, role)
);
CREATE INDEX contract_members_by_list ON contract_members (account_id, list, contract_id)
    WHERE account_id IS NOT NULL;
CREATE INDEX contract_members_by_account ON contract_members (account_id, contract_id) WHERE account_id IS NOT NULL;

-- What has happened. Rows are added and never changed, but for words that an administrator removes.
CREATE TABLE contract_moves (
    id BIGINT PRIMARY KEY,
    contract_id BIGINT NOT NULL REFERENCES contracts (id) ON DELETE CASCADE,
    event TEXT NOT NULL,
    -- Whose move it was; null for the clock and the server
    role TEXT,
    rule INTEGER,
    note TEXT NOT NULL
);
CREATE INDEX contract_moves_by_contract ON contract_moves (contract_id, id);

-- Sealed photos. A row goes when its owner gets the photo back, or erases it, or it is published.
CREATE TABLE contract_stakes (
    id BIGINT PRIMARY KEY,
    contract_id BIGINT NOT NULL REFERENCES contracts (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    description TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    blurhash TEXT NOT NULL,
    colour TEXT NOT NULL,
    UNIQUE (contract_id, role)
);

-- variant: full.jpeg, and SIZE.FORMAT such as large.webp
CREATE TABLE contract_stake_files (
    stake_id BIGINT NOT NULL REFERENCES contract_stakes (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    blob_key TEXT NOT NULL REFERENCES blobs (key),
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    PRIMARY KEY (stake_id, variant)
);
CREATE UNIQUE INDEX contract_stake_files_by_blob ON contract_stake_files (blob_key);

-- A breach is published once: this row is written in the transaction that breaks the contract, with the post on this
-- server. cross_post_id is the work that brings it to the connected account.
CREATE TABLE contract_publications (
    contract_id BIGINT PRIMARY KEY REFERENCES contracts (id) ON DELETE CASCADE,
    breaker TEXT NOT NULL,
    post_id BIGINT REFERENCES posts (id) ON DELETE SET NULL,
    cross_post_id BIGINT,
    -- What became of it: published, failed or revoked; pending as long as cross_post_id says more
    state TEXT NOT NULL
);
CREATE INDEX contract_publications_by_post ON contract_publications (post_id) WHERE post_id IS NOT NULL;
CREATE INDEX contract_publications_by_cross_post ON contract_publications (cross_post_id)
    WHERE cross_post_id IS NOT NULL;

-- Who has said that they are an adult, and when.
CREATE TABLE contract_adults (
    account_id BIGINT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    confirmed_at BIGINT NOT NULL
);
