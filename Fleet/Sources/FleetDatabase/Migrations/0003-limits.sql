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

ALTER TABLE fleet.alarm ADD tried_at timestamptz;
ALTER TABLE fleet.upstream ADD tried_at timestamptz;

-- A host may have many grants, and end them all in one upload.
CREATE FUNCTION fleet.grant_key(client text, user_id bigint, resource text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT md5(coalesce(resource, '') || ' ' || coalesce(client, '') || ' ' || coalesce(user_id::text, '')) $$;
CREATE INDEX grant_state_key ON fleet.grant_state (host, fleet.grant_key(client, user_id, resource));
CREATE INDEX host_key_revoked ON fleet.host_key (host) WHERE revoked_from IS NOT NULL;

-- As before, and a month that exists waits for nobody. No advisory lock, which every role of the database can take.
CREATE OR REPLACE FUNCTION fleet.ensure_partition(month date) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
    name text := 'record_' || to_char(month, 'YYYY_MM');
    first date := date_trunc('month', month)::date;
    starts timestamptz := first::timestamp AT TIME ZONE 'UTC';
    ends timestamptz := (first + interval '1 month')::timestamp AT TIME ZONE 'UTC';
BEGIN
    IF to_regclass('fleet.' || name) IS NOT NULL THEN RETURN true; END IF;
    INSERT INTO fleet.duty (name) VALUES ('partitions') ON CONFLICT DO NOTHING;
    PERFORM FROM fleet.duty WHERE duty.name = 'partitions' FOR UPDATE;
    -- Somebody else may have made it. to_regclass remembers what it did not find.
    PERFORM FROM pg_class WHERE relnamespace = 'fleet'::regnamespace AND relname = name;
    IF FOUND THEN RETURN true; END IF;
    LOCK TABLE fleet.record_default IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('CREATE TABLE fleet.%I (LIKE fleet.record INCLUDING DEFAULTS)', name);
    EXECUTE format(
        'WITH moved AS (DELETE FROM fleet.record_default WHERE time >= %L AND time < %L RETURNING *)
        INSERT INTO fleet.%I SELECT * FROM moved', starts, ends, name);
    EXECUTE format(
        'ALTER TABLE fleet.record ATTACH PARTITION fleet.%I FOR VALUES FROM (%L) TO (%L)', name, starts, ends);
    RETURN true;
EXCEPTION WHEN lock_not_available THEN RETURN false;
END $$;

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
