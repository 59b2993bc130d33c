-- Machines whose records do not come, or that send too many; and what a stolen key signed.

-- The kinds of alarms. If a host has several, its state is the one with the lowest rank.
CREATE TABLE fleet.alarm_kind (
    kind text PRIMARY KEY,
    rank smallint NOT NULL UNIQUE
);
INSERT INTO fleet.alarm_kind (kind, rank) VALUES
    ('forked', 1), ('rolledBack', 2), ('unknownKey', 3), ('unfollowed', 4), ('overQuota', 5), ('clockWrong', 6),
    ('silent', 7), ('behind', 8);
ALTER TABLE fleet.alarm DROP CONSTRAINT alarm_kind_check, ADD FOREIGN KEY (kind) REFERENCES fleet.alarm_kind;
GRANT SELECT ON fleet.alarm_kind TO fleet_auditor, fleet_admin;

ALTER TABLE fleet.host
    -- What next_entry was at the last report.
    ADD last_report_next bigint,
    -- Bytes of records and checkpoints that were stored on a day in UTC.
    ADD quota_day date,
    ADD quota_bytes bigint NOT NULL DEFAULT 0;

CREATE OR REPLACE VIEW fleet.host_state WITH (security_invoker) AS
SELECT
    host.id AS host,
    CASE
        WHEN host.revoked_at IS NOT NULL THEN 'revoked'
        WHEN open.kind IS NOT NULL THEN open.kind
        WHEN coalesce(host.last_report_size, host.pending_size) > host.next_entry THEN 'behind'
        ELSE 'ok'
    END AS state,
    coalesce(open.since, host.last_report_at, host.enrolled_at) AS since
FROM fleet.host
LEFT JOIN LATERAL (
    SELECT kind, since FROM fleet.alarm JOIN fleet.alarm_kind USING (kind)
    WHERE alarm.host = host.id AND until IS NULL
    ORDER BY rank LIMIT 1
) AS open ON true;

-- The first record that a stolen key may have signed, and that no checkpoint has proven since the key was revoked: a later one
-- is signed by a key that counts.
CREATE VIEW fleet.host_suspicion WITH (security_invoker) AS
SELECT host, min(revoked_from) AS first FROM fleet.host_key
WHERE revoked_from IS NOT NULL AND NOT EXISTS (
    SELECT FROM fleet.checkpoint WHERE checkpoint.host = host_key.host AND received_at > host_key.revoked_at)
GROUP BY host;
GRANT SELECT ON fleet.host_suspicion TO fleet_auditor, fleet_admin;

CREATE OR REPLACE VIEW fleet_api.hosts WITH (security_invoker) AS
SELECT h.id AS host_id, t.name AS tenant, h.department, h.name AS host, h.origin, s.state, s.since, h.enrolled_at,
    h.revoked_at, h.mirror_size AS records, GREATEST(h.last_report_size, h.pending_size) AS signed, h.last_report_at,
    h.clock_offset_ms, suspicion.first AS suspect_from
FROM fleet.host h JOIN fleet.tenant t ON t.id = h.tenant JOIN fleet.host_state s ON s.host = h.id
LEFT JOIN fleet.host_suspicion suspicion ON suspicion.host = h.id;

CREATE OR REPLACE VIEW fleet_api.records WITH (security_invoker) AS
SELECT t.name AS tenant, h.department, h.name AS host, r.host AS host_id, r.index, r.time, r.kind,
    r.fields ->> 'client' AS client, fleet_api.number(r.fields -> 'user') AS "user", r.fields ->> 'subject' AS subject,
    r.fields ->> 'resource' AS resource, r.fields ->> 'session' AS session, r.fields, r.erased,
    r.salt IS NULL AND NOT r.erased AS withheld,
    coalesce(r.index >= (SELECT first FROM fleet.host_suspicion WHERE host_suspicion.host = r.host), false) AS suspect
FROM fleet.record r JOIN fleet.host h ON h.id = r.host JOIN fleet.tenant t ON t.id = h.tenant;

COMMENT ON COLUMN fleet_api.hosts.suspect_from IS
    'the first record that a stolen key may have signed and no other key has proven since; null: none';
COMMENT ON COLUMN fleet_api.records.suspect IS
    'whether a stolen key may have signed the record, and no other key has proven it since';
