-- Groups count their unread messages in another way, so those of people with very many needn't be looked at for chats of two.
DROP INDEX chat_members_unread;
CREATE INDEX chat_members_unread_of_twos ON chat_members (account_id) WHERE unread_count > 0 AND peer_id IS NOT NULL;
