-- Until when the push service wants nothing for a device.
ALTER TABLE push_subscriptions ADD COLUMN paused_until BIGINT;
