-- Who may ask what: roles, row level security by tenant and department, tombstones, and the documented views.

-- Roles are the cluster's: another database of it, or its administrator, may have made them. To make them here takes a role
-- with CREATEROLE.
DO $$
DECLARE role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['fleet_auditor', 'fleet_admin'] LOOP
        CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = role_name);
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END;
    END LOOP;
END $$;

-- What a role may see: all of a tenant, or one department of it.
CREATE TABLE fleet.membership (
    role name NOT NULL,
    tenant bigint NOT NULL REFERENCES fleet.tenant,
    department text,
    UNIQUE NULLS NOT DISTINCT (role, tenant, department)
);

-- What retention dropped of a host's records: a note that the collector's key signed. Never deleted.
CREATE TABLE fleet.tombstone (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    host bigint NOT NULL REFERENCES fleet.host,
    note text NOT NULL
);
CREATE INDEX ON fleet.tombstone (host);

-- The owner of the schema (the collector) is not bound by policies. A policy's subquery is bound by those of its own tables:
-- what refers to fleet.host sees the hosts that the asking role may see.
ALTER TABLE fleet.membership ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleet.tenant ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleet.host ENABLE ROW LEVEL SECURITY;

-- By name in pg_roles, because pg_has_role fails for a role that was dropped.
CREATE POLICY own ON fleet.membership FOR SELECT TO fleet_auditor
    USING (role IN (SELECT rolname FROM pg_roles WHERE pg_has_role(current_user, oid, 'USAGE')));
CREATE POLICY own ON fleet.tenant FOR SELECT TO fleet_auditor USING (id IN (SELECT tenant FROM fleet.membership));
CREATE POLICY own ON fleet.host FOR SELECT TO fleet_auditor
    USING (
        tenant IN (SELECT tenant FROM fleet.membership WHERE department IS NULL)
        OR (tenant, department) IN (SELECT tenant, department FROM fleet.membership WHERE department IS NOT NULL));
CREATE POLICY everything ON fleet.membership TO fleet_admin USING (true) WITH CHECK (true);
CREATE POLICY everything ON fleet.tenant FOR SELECT TO fleet_admin USING (true);
CREATE POLICY everything ON fleet.host FOR SELECT TO fleet_admin USING (true);

-- An array is computed once a query, and can be looked up in an index.
DO $$
DECLARE table_name text;
BEGIN
    FOREACH table_name IN ARRAY ARRAY['host_key', 'record', 'tile', 'checkpoint', 'alarm', 'upstream', 'tombstone'] LOOP
        EXECUTE format('ALTER TABLE fleet.%I ENABLE ROW LEVEL SECURITY', table_name);
        EXECUTE format(
            'CREATE POLICY own ON fleet.%I FOR SELECT TO fleet_auditor USING (host = ANY (ARRAY(SELECT id FROM fleet.host)))',
            table_name);
        EXECUTE format('CREATE POLICY everything ON fleet.%I FOR SELECT TO fleet_admin USING (true)', table_name);
    END LOOP;
END $$;

-- Partitions are not granted: they have no policies of their own. Nor are tokens.
GRANT USAGE ON SCHEMA fleet TO fleet_auditor, fleet_admin;
GRANT SELECT ON fleet.membership, fleet.tenant, fleet.host_key, fleet.record, fleet.tile, fleet.checkpoint, fleet.alarm,
    fleet.alarm_kind, fleet.upstream, fleet.tombstone, fleet.cosigner, fleet.host_state, fleet.host_suspicion TO fleet_auditor, fleet_admin;
GRANT INSERT, DELETE ON fleet.membership TO fleet_admin;
GRANT SELECT (
    id, tenant, department, name, origin, origin_sha256, enrolled_at, revoked_at, report_interval, next_entry, frontier,
    pending_size, pending_note, mirror_size, mirror_note, last_report_at, last_report_size, last_counter, clock_offset_ms
) ON fleet.host TO fleet_auditor, fleet_admin;

-- The views: the interface for dashboards, with the rights of the role that asks.
CREATE SCHEMA fleet_api;
GRANT USAGE ON SCHEMA fleet_api TO fleet_auditor, fleet_admin;

CREATE VIEW fleet_api.hosts WITH (security_invoker) AS
SELECT h.id AS host_id, t.name AS tenant, h.department, h.name AS host, h.origin, s.state, s.since, h.enrolled_at,
    h.revoked_at, h.mirror_size AS records, GREATEST(h.last_report_size, h.pending_size) AS signed, h.last_report_at,
    h.clock_offset_ms, suspicion.first AS suspect_from
FROM fleet.host h JOIN fleet.tenant t ON t.id = h.tenant JOIN fleet.host_state s ON s.host = h.id
LEFT JOIN fleet.host_suspicion suspicion ON suspicion.host = h.id;

-- A machine can send any JSON: a value of another type is null, and stops no question.
CREATE FUNCTION fleet_api.number(value jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN jsonb_typeof(value) = 'number' AND value::numeric BETWEEN -9223372036854775808 AND 9223372036854775807
    THEN value::numeric::bigint END $$;

CREATE VIEW fleet_api.records WITH (security_invoker) AS
SELECT t.name AS tenant, h.department, h.name AS host, r.host AS host_id, r.index, r.time, r.kind,
    r.fields ->> 'client' AS client, fleet_api.number(r.fields -> 'user') AS "user", r.fields ->> 'subject' AS subject,
    r.fields ->> 'resource' AS resource, r.fields ->> 'session' AS session, r.fields, r.erased,
    r.salt IS NULL AND NOT r.erased AS withheld,
    coalesce(r.index >= (SELECT first FROM fleet.host_suspicion WHERE host_suspicion.host = r.host), false) AS suspect
FROM fleet.record r JOIN fleet.host h ON h.id = r.host JOIN fleet.tenant t ON t.id = h.tenant;

CREATE VIEW fleet_api.sessions WITH (security_invoker) AS
SELECT s.tenant, s.department, s.host, s.host_id, s.session, s.client, s."user", s.subject, s.time AS started,
    e.time AS stopped, fleet_api.number(e.fields -> 'milliseconds') AS milliseconds, e.fields ->> 'reason' AS reason,
    s.fields ->> 'device' AS device, s.fields -> 'decisionRecords' AS decision_records, s.index AS started_record,
    e.index AS stopped_record
FROM fleet_api.records s
LEFT JOIN LATERAL (
    SELECT r.time, r.index, r.fields FROM fleet.record r
    WHERE r.host = s.host_id AND r.index > s.index AND r.kind = 'session.stopped' AND r.fields ->> 'session' = s.session
    ORDER BY r.index LIMIT 1
) e ON true
WHERE s.kind = 'session.started';

-- A policy ends no decision: when it is lifted, the grant is in force again. And what was not sent is nobody's decision.
CREATE VIEW fleet_api.grants WITH (security_invoker) AS
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

CREATE VIEW fleet_api.alarms WITH (security_invoker) AS
SELECT t.name AS tenant, h.department, h.name AS host, a.host AS host_id, a.kind, a.since, a.until, a.detail
FROM fleet.alarm a JOIN fleet.host h ON h.id = a.host JOIN fleet.tenant t ON t.id = h.tenant;

GRANT SELECT ON ALL TABLES IN SCHEMA fleet_api TO fleet_auditor, fleet_admin;

COMMENT ON VIEW fleet_api.hosts IS 'Machines, one row each.';
COMMENT ON VIEW fleet_api.records IS 'Records of the consent logs. Ask with host_id and time; Documentation/Records.md has the kinds and their fields.';
COMMENT ON VIEW fleet_api.sessions IS 'Sessions, one row each.';
COMMENT ON VIEW fleet_api.grants IS 'The last decision about each client, user and resource of a machine.';
COMMENT ON VIEW fleet_api.alarms IS 'What is or was wrong with a machine''s log.';

DO $$
DECLARE
    comments jsonb := '{
        "tenant": "the organisation that the machine belongs to",
        "department": "the part of the tenant",
        "host": "the machine''s name, as it was enrolled",
        "host_id": "the machine''s number in this database",
        "hosts.origin": "the log''s name: the first line of its checkpoints",
        "hosts.state": "ok, behind, revoked, or the most serious open alarm",
        "hosts.since": "when the alarm was found; without one, when the machine last reported",
        "hosts.enrolled_at": "when the machine was enrolled",
        "hosts.revoked_at": "when it was revoked; null: it was not",
        "hosts.records": "records that are stored and proven",
        "hosts.signed": "records in the newest checkpoint that the machine signed",
        "hosts.last_report_at": "when it last reported, by the collector''s clock",
        "hosts.clock_offset_ms": "its clock less the collector''s, in milliseconds",
        "suspect_from": "the first record that a stolen key may have signed and no other key has proven since; null: none",
        "suspect": "whether a stolen key may have signed the record, and no other key has proven it since",
        "index": "the record''s index in the machine''s log, from 0",
        "time": "the record''s time, by the machine''s clock",
        "records.kind": "what the record is about",
        "client": "the program''s bundle identifier",
        "user": "the user''s number on the machine",
        "subject": "the user''s pseudonym in this log",
        "resource": "microphone or speechRecognition",
        "session": "the session''s identifier",
        "fields": "the record''s fields; null if they were erased or not sent",
        "erased": "whether the machine erased the fields",
        "withheld": "whether the machine did not send the fields",
        "started": "when the session began",
        "stopped": "when it ended; null: it runs, or its end is not known",
        "milliseconds": "its device time, also what was dropped; what was heard is in the fields of session.stopped",
        "reason": "why it ended",
        "device": "the microphone; null: a file was transcribed",
        "decision_records": "by resource, the index of the record that permits it",
        "started_record": "the index of session.started",
        "stopped_record": "the index of session.stopped",
        "grants.state": "granted, denied, withdrawn or expired; a policy that restricts a grant is in fleet_api.records",
        "scope": "once, whileInUse or always",
        "indication": "how the user decided",
        "grants.since": "when it was decided",
        "record": "the index of the decision''s record",
        "alarms.kind": "what is wrong",
        "alarms.since": "when it was found",
        "until": "when it ended; null: it has not",
        "detail": "the evidence, with the signed notes"
    }';
    c record;
BEGIN
    FOR c IN SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'fleet_api' LOOP
        EXECUTE format(
            'COMMENT ON COLUMN fleet_api.%I.%I IS %L', c.table_name, c.column_name,
            COALESCE(comments ->> (c.table_name || '.' || c.column_name), comments ->> c.column_name));
    END LOOP;
END $$;
