-- The node that works on a job: when it starts again after a crash, it takes its own work up at once.
ALTER TABLE jobs ADD COLUMN leased_by INTEGER;

CREATE INDEX jobs_by_lease ON jobs (leased_by) WHERE leased_by IS NOT NULL;
