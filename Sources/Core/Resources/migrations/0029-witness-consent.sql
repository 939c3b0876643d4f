-- A witness takes the role before the partner can accept.

-- Whether the witness has taken the role; 0 without a witness
ALTER TABLE contracts ADD COLUMN witness_agreed INTEGER NOT NULL DEFAULT 0;

-- What binds both, or has ended, keeps its witness.
UPDATE contracts SET witness_agreed = has_witness WHERE state <> 'proposed';

-- An offer waits for its witness now, who sees it, and no longer for the partner.
UPDATE contract_members SET list = 'waiting' WHERE role = 'witness' AND list = 'hidden'
    AND contract_id IN (SELECT id FROM contracts WHERE state = 'proposed' AND paused_at IS NULL);
UPDATE contract_members SET list = 'active' WHERE role = 'witness' AND list = 'hidden'
    AND contract_id IN (SELECT id FROM contracts WHERE state = 'proposed');
UPDATE contract_members SET list = 'active' WHERE role = 'partner' AND list = 'waiting'
    AND contract_id IN (SELECT id FROM contracts WHERE state = 'proposed' AND has_witness = 1);

-- Who was named as the witness of what was never agreed on never learned of it, and doesn't now.
UPDATE contract_members SET list = 'ended', account_id = NULL WHERE role = 'witness' AND list = 'hidden';
