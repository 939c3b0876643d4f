-- Who may administer, in the order in which they are listed: a few among many.
CREATE INDEX accounts_administrators ON accounts (username_folded) WHERE is_admin = 1;
