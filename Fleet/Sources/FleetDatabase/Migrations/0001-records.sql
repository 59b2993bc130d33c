-- Hosts, their keys and their records. The schema `fleet` and the table `fleet.migration` exist already.

CREATE TABLE fleet.tenant (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE
);

-- One log of one machine. A revoked host stays with its records; its log may be enrolled again as another host.
CREATE TABLE fleet.host (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant bigint NOT NULL REFERENCES fleet.tenant,
    department text NOT NULL DEFAULT '',
    name text NOT NULL,
    origin text NOT NULL,
    -- Of the origin; the name of the host's log in paths.
    origin_sha256 bytea NOT NULL CHECK (octet_length(origin_sha256) = 32),
    -- SHA-256 of the token that the host sends.
    token_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(token_sha256) = 32),
    enrolled_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    -- Seconds between reports.
    report_interval integer NOT NULL CHECK (report_interval > 0),

    -- Records that are stored, and the roots of the complete subtrees over them (RFC 6962), largest first.
    next_entry bigint NOT NULL DEFAULT 0,
    frontier bytea NOT NULL DEFAULT '',
    -- The newest checkpoint that was accepted, as a signed note with this collector's cosignature as a witness.
    pending_size bigint NOT NULL DEFAULT 0,
    pending_note text,
    -- The newest checkpoint all of whose records are stored, with the cosignatures of the mirror and of other witnesses.
    mirror_size bigint NOT NULL DEFAULT 0,
    mirror_note text,

    last_report_at timestamptz,
    last_report_size bigint,
    -- What next_entry was then.
    last_report_next bigint,
    last_counter bigint NOT NULL DEFAULT -1,
    -- The host's clock minus the collector's at the last report.
    clock_offset_ms bigint,

    -- Bytes of records and checkpoints that were stored on a day in UTC.
    quota_day date,
    quota_bytes bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX host_origin ON fleet.host (origin_sha256) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX host_name ON fleet.host (tenant, name) WHERE revoked_at IS NULL;

-- Keys whose signatures of a host's checkpoints count.
CREATE TABLE fleet.host_key (
    host bigint NOT NULL REFERENCES fleet.host,
    -- C2SP signed-note: name+identifier+base64.
    vkey text NOT NULL,
    added_at timestamptz NOT NULL DEFAULT now(),
    -- Index of the record that names it; NULL: from the enrolment, or accepted by an administrator.
    named_by bigint,
    -- Index of the record that names its successor: it signs no checkpoint that contains this record alone.
    retired_from bigint,
    revoked_at timestamptz,
    -- First index of the records that only this key has signed since it was stolen.
    revoked_from bigint,
    PRIMARY KEY (host, vkey)
);
CREATE INDEX host_key_revoked ON fleet.host_key (host) WHERE revoked_from IS NOT NULL;

-- One-time tokens by which machines enrol.
CREATE TABLE fleet.enrolment_token (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sha256 bytea NOT NULL UNIQUE CHECK (octet_length(sha256) = 32),
    tenant bigint NOT NULL REFERENCES fleet.tenant,
    department text NOT NULL DEFAULT '',
    -- NULL: the machine names itself.
    host_name text,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    used_by bigint REFERENCES fleet.host
);

-- The leaf is {"_sd":["<base64url of digest>"],"index":…,"kind":…,"schema":2,"time":…}; the disclosure, whose SHA-256 is the
-- digest, is ["<base64url of salt>",fields].
CREATE TABLE fleet.record (
    host bigint NOT NULL,
    index bigint NOT NULL,
    time timestamptz(3) NOT NULL,
    kind text NOT NULL,
    digest bytea NOT NULL,
    -- NULL: withheld or erased.
    salt bytea,
    fields jsonb,
    -- The disclosure, only if it cannot be rebuilt from fields: jsonb has no U+0000, which is U+FFFD there.
    verbatim text,
    erased boolean NOT NULL DEFAULT false,
    PRIMARY KEY (host, index, time)
) PARTITION BY RANGE (time);
CREATE INDEX record_host_time ON fleet.record (host, time);
CREATE INDEX record_kind_time ON fleet.record (kind, time);
-- What is too old, or in the future.
CREATE TABLE fleet.record_default PARTITION OF fleet.record DEFAULT;

-- Makes the partition of a month unless it exists, and moves there what the default partition has of it: a machine whose clock
-- is wrong takes no month's partition from the others. It is attached, which holds up only what reads or fills the default
-- partition, and not for long; a month that exists waits for nobody. False: somebody else does so at the moment; the month's records
-- are in the default partition.
CREATE FUNCTION fleet.ensure_partition(month date) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
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
REVOKE EXECUTE ON FUNCTION fleet.ensure_partition FROM PUBLIC;

-- The tiles of https://c2sp.org/tlog-tiles. Of level 0 only full ones; what is behind them is in the records. A row of a
-- higher level grows up to 256 hashes.
CREATE TABLE fleet.tile (
    host bigint NOT NULL,
    level smallint NOT NULL,
    position bigint NOT NULL,
    hashes bytea NOT NULL,
    PRIMARY KEY (host, level, position)
);
ALTER TABLE fleet.tile ALTER COLUMN hashes SET STORAGE EXTERNAL;

-- Checkpoints that were accepted: an upload may end at any of them.
CREATE TABLE fleet.checkpoint (
    host bigint NOT NULL,
    size bigint NOT NULL,
    root bytea NOT NULL,
    note text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (host, size)
);

CREATE INDEX checkpoint_received ON fleet.checkpoint (host, received_at);

-- Records of grants that are in force; client, user and resource are NULL if the grant's fields are not known.
CREATE TABLE fleet.grant_state (
    host bigint NOT NULL,
    record bigint NOT NULL,
    client text,
    user_id bigint,
    resource text,
    PRIMARY KEY (host, record)
);
-- A host may have many grants, and end them all in one upload.
CREATE FUNCTION fleet.grant_key(client text, user_id bigint, resource text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT md5(coalesce(resource, '') || ' ' || coalesce(client, '') || ' ' || coalesce(user_id::text, '')) $$;
CREATE INDEX grant_state_key ON fleet.grant_state (host, fleet.grant_key(client, user_id, resource));

-- The kinds of alarms. If a host has several, its state is the one with the lowest rank.
CREATE TABLE fleet.alarm_kind (
    kind text PRIMARY KEY,
    rank smallint NOT NULL UNIQUE
);
INSERT INTO fleet.alarm_kind (kind, rank) VALUES
    ('forked', 1), ('rolledBack', 2), ('unknownKey', 3), ('unfollowed', 4), ('overQuota', 5), ('clockWrong', 6),
    ('silent', 7), ('behind', 8);

-- A kind is open at most once for a host. The detail has the evidence, such as both signed notes of a fork, and is kept.
CREATE TABLE fleet.alarm (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    host bigint NOT NULL REFERENCES fleet.host,
    kind text NOT NULL REFERENCES fleet.alarm_kind,
    since timestamptz NOT NULL DEFAULT now(),
    until timestamptz,
    detail jsonb NOT NULL DEFAULT '{}',
    tried_at timestamptz,
    notified_at timestamptz
);
CREATE UNIQUE INDEX alarm_open ON fleet.alarm (host, kind) WHERE until IS NULL;
CREATE INDEX alarm_unnotified ON fleet.alarm (id) WHERE notified_at IS NULL;

-- When silent hosts were looked for. After a time in which nobody did, because the database or all collectors were away, hosts are
-- not called silent before their senders can be back.
CREATE TABLE fleet.watch (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    done_at timestamptz NOT NULL DEFAULT now(),
    patient_until timestamptz NOT NULL DEFAULT now()
);

-- What one collector does at a time: it has the row locked. No advisory lock, which every role of the database can take.
CREATE TABLE fleet.duty (
    name text PRIMARY KEY
);

-- The keys that cosign: this collector's as a witness and as a mirror, and those of other witnesses.
CREATE TABLE fleet.cosigner (
    vkey text PRIMARY KEY,
    role text NOT NULL CHECK (role IN ('witness', 'mirror', 'upstream')),
    since timestamptz NOT NULL DEFAULT now()
);

-- How much of a host's log another witness has cosigned.
CREATE TABLE fleet.upstream (
    host bigint NOT NULL REFERENCES fleet.host,
    vkey text NOT NULL REFERENCES fleet.cosigner,
    size bigint NOT NULL,
    -- NULL: it has only told its size.
    cosigned_at timestamptz,
    -- The newest checkpoint that it has cosigned, with all cosignatures: the mirror's next one has none at first.
    note text,
    tried_at timestamptz,
    PRIMARY KEY (host, vkey)
);

-- One state for each host: the worst that is open.
CREATE VIEW fleet.host_state WITH (security_invoker) AS
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
