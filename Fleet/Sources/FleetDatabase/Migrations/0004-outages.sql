-- Silence that the collectors themselves explain; checkpoints with other witnesses' cosignatures; what a view said too much.

-- When silent hosts were looked for. After a time in which nobody did, because the database or all collectors were away, hosts are
-- not called silent before their senders can be back.
CREATE TABLE fleet.watch (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    done_at timestamptz NOT NULL DEFAULT now(),
    patient_until timestamptz NOT NULL DEFAULT now()
);
INSERT INTO fleet.watch DEFAULT VALUES;

-- The newest checkpoint that the witness has cosigned, with all cosignatures: the mirror's next one has none at first.
ALTER TABLE fleet.upstream ADD note text;

-- A policy ends no decision: when it is lifted, the grant is in force again. And what was not sent is nobody's decision.
CREATE OR REPLACE VIEW fleet_api.grants WITH (security_invoker) AS
SELECT DISTINCT ON (r.host_id, r.client, r."user", r.resource)
    r.tenant, r.department, r.host, r.host_id, r.client, r."user", r.subject, r.resource,
    CASE
        WHEN r.kind IN ('decision.granted', 'decision.renewed') THEN 'granted'
        WHEN r.kind = 'decision.denied' THEN 'denied'
        ELSE substr(r.kind, 10)
    END AS state,
    r.fields ->> 'scope' AS scope, r.fields ->> 'indication' AS indication, r.time AS since, r.index AS record
FROM fleet_api.records r
WHERE r.kind IN ('decision.granted', 'decision.renewed', 'decision.denied', 'decision.withdrawn', 'decision.expired')
    AND r.fields IS NOT NULL
ORDER BY r.host_id, r.client, r."user", r.resource, r.index DESC;
COMMENT ON COLUMN fleet_api.grants.state IS 'granted, denied, withdrawn or expired; a policy that restricts a grant is in fleet_api.records';
