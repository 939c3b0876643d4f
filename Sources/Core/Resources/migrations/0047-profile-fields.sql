-- fields: the names and values of a profile's fields in turn, a line each; empty for none.
-- is_discoverable: whether the account is suggested to people who may know its owner.
ALTER TABLE accounts ADD COLUMN fields TEXT NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN is_discoverable INTEGER NOT NULL DEFAULT 1;
