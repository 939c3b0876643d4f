-- Lists of people, each with a feed of its own.

-- is_exclusive: whether posts of these people are left out of Home.
CREATE TABLE people_lists (
    id BIGINT PRIMARY KEY,
    owner_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    is_exclusive INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX people_lists_by_owner ON people_lists (owner_id, id);

-- owner_id is that of the list, so that the lists in which someone is are found from the owner, too.
CREATE TABLE list_members (
    list_id BIGINT NOT NULL REFERENCES people_lists (id) ON DELETE CASCADE,
    member_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    owner_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    id BIGINT NOT NULL UNIQUE,
    PRIMARY KEY (list_id, member_id)
);
CREATE INDEX list_members_by_list ON list_members (list_id, id);
CREATE INDEX list_members_by_owner ON list_members (owner_id, member_id);
CREATE INDEX list_members_by_member ON list_members (member_id);
