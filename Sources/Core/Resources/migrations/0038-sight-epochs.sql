-- When the account last began to see less of others: after a block, the end of a follow. Browsers drop what they keep of
-- other people when this changes. What concerns everyone is the server value `sight_epoch`.
ALTER TABLE accounts ADD COLUMN sight_epoch BIGINT NOT NULL DEFAULT 0;
