-- Whose files they are, so that what each account takes of the disk is known. Downloads belong to nobody: they are a
-- copy that goes by itself.

ALTER TABLE blobs ADD COLUMN owner_id BIGINT;
UPDATE blobs SET owner_id = COALESCE(
    (SELECT o.owner_id FROM photo_files f JOIN photos o ON o.id = f.photo_id WHERE f.blob_key = blobs.key),
    (SELECT o.account_id FROM portrait_files f JOIN portraits o ON o.id = f.portrait_id WHERE f.blob_key = blobs.key),
    (SELECT o.owner_id FROM single_use_media_files f JOIN single_use_media o ON o.id = f.media_id
        WHERE f.blob_key = blobs.key),
    (SELECT o.poster_id FROM snap_files f JOIN snaps o ON o.id = f.snap_id WHERE f.blob_key = blobs.key),
    (SELECT o.sender_id FROM once_picture_files f JOIN messages o ON o.id = f.message_id WHERE f.blob_key = blobs.key));

-- Apart from accounts: every upload changes it, and much is kept in memory until accounts change.
CREATE TABLE storage_uses (
    account_id BIGINT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    byte_count BIGINT NOT NULL
);
INSERT INTO storage_uses (account_id, byte_count)
SELECT a.id, sum(b.byte_count) FROM blobs b JOIN accounts a ON a.id = b.owner_id GROUP BY a.id;
