-- People: their devices, who administers, when and from where they last came.

CREATE TABLE devices (
  id TEXT PRIMARY KEY,
  person TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  created REAL NOT NULL,
  seen REAL NOT NULL
) STRICT;

-- The cookies that are out name a person where they name a device from now on.
INSERT INTO devices SELECT id, id, token_hash, created, unixepoch() FROM people;
CREATE INDEX devices_by_person ON devices (person);

ALTER TABLE people DROP COLUMN token_hash;
ALTER TABLE people ADD COLUMN seen REAL NOT NULL DEFAULT 0;
ALTER TABLE people ADD COLUMN admin INTEGER NOT NULL DEFAULT 0;
ALTER TABLE people ADD COLUMN network TEXT NOT NULL DEFAULT '';
UPDATE people SET seen = unixepoch();
CREATE INDEX people_by_seen ON people (seen);
CREATE INDEX people_by_network ON people (network) WHERE network <> '';

CREATE TABLE bans (
  id TEXT PRIMARY KEY,
  person TEXT,
  network TEXT,
  reason TEXT NOT NULL,
  at REAL NOT NULL,
  until REAL
) STRICT;

CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  at REAL NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;

-- Tables: what the host decided, when they were last touched, and who looks after them.

ALTER TABLE tables ADD COLUMN grace INTEGER NOT NULL DEFAULT 10;
ALTER TABLE tables ADD COLUMN muted TEXT NOT NULL DEFAULT '[]';
ALTER TABLE tables ADD COLUMN kept_out TEXT NOT NULL DEFAULT '[]';
ALTER TABLE tables ADD COLUMN began REAL; -- the uptime when the match began
ALTER TABLE tables ADD COLUMN touched REAL NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN driver TEXT; -- the process that plays its bots and minds its clock
ALTER TABLE tables ADD COLUMN wake REAL; -- the uptime at which it needs one; null: it does not
ALTER TABLE tables ADD COLUMN rest_ply INTEGER; -- how the match stood when it was last forgotten
ALTER TABLE tables ADD COLUMN rest_asked INTEGER;
UPDATE tables SET began = started, touched = unixepoch();
UPDATE tables SET wake = 0 WHERE status = 'running';
CREATE INDEX tables_by_wake ON tables (wake) WHERE status = 'running' AND wake IS NOT NULL;
CREATE INDEX tables_by_host ON tables (host, status);

-- A seat repeats what its table's lists are ordered by, so that a page of them is one index range.
ALTER TABLE seats ADD COLUMN resigned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN status TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN created REAL NOT NULL DEFAULT 0;
UPDATE seats SET
  status = (SELECT status FROM tables WHERE id = table_id),
  created = (SELECT created FROM tables WHERE id = table_id);
DROP INDEX seats_by_person;
CREATE INDEX seats_by_person ON seats (person, status, created, table_id)
  WHERE person IS NOT NULL;

ALTER TABLE chat ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX chat_by_person ON chat (person);
CREATE INDEX chat_by_time ON chat (at);

-- Clocks count the time that servers run, which no change of the machine's clock can touch.
ALTER TABLE moves ADD COLUMN uptime REAL; -- null: as `at`
CREATE TABLE uptime (id INTEGER PRIMARY KEY, seconds REAL NOT NULL) STRICT;
INSERT INTO uptime SELECT 1, COALESCE(MAX(at), 0) FROM moves;

-- Who is, or was, at which table, through which process.
CREATE TABLE presence (
  table_id TEXT NOT NULL,
  person TEXT NOT NULL,
  worker TEXT NOT NULL,
  sockets INTEGER NOT NULL,
  since REAL NOT NULL,
  address TEXT NOT NULL,
  PRIMARY KEY (table_id, person, worker)
) STRICT, WITHOUT ROWID;
CREATE INDEX presence_now ON presence (worker) WHERE sockets > 0;
