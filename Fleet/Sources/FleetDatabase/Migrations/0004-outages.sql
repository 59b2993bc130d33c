-- Silence that the collectors themselves explain.

-- When silent hosts were looked for. After a time in which nobody did, because the database or all collectors were away, hosts are
-- not called silent before their senders can be back.
CREATE TABLE fleet.watch (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    done_at timestamptz NOT NULL DEFAULT now(),
    patient_until timestamptz NOT NULL DEFAULT now()
);
INSERT INTO fleet.watch DEFAULT VALUES;
