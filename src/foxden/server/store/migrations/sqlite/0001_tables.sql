-- People, their tables, what was played and said there.

CREATE TABLE people (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  created REAL NOT NULL
) STRICT;

CREATE TABLE links (
  token_hash TEXT PRIMARY KEY,
  person TEXT NOT NULL,
  expires REAL NOT NULL,
  used REAL
) STRICT;

CREATE TABLE tables (
  id TEXT PRIMARY KEY,
  game TEXT NOT NULL,
  rules_version INTEGER NOT NULL,
  options TEXT NOT NULL,
  parts TEXT NOT NULL,
  clock TEXT NOT NULL,
  access TEXT NOT NULL,
  watch TEXT NOT NULL,
  hints INTEGER NOT NULL,
  pace TEXT NOT NULL,
  host TEXT NOT NULL,
  seed TEXT NOT NULL, -- digits: a seed is longer than any integer column
  status TEXT NOT NULL CHECK (status IN ('open', 'running', 'over')),
  created REAL NOT NULL,
  started REAL,
  ended REAL,
  scores TEXT,
  winners TEXT,
  rematch TEXT,
  version INTEGER NOT NULL,
  lines INTEGER NOT NULL DEFAULT 0 -- how much was said
) STRICT;

CREATE INDEX tables_by_status ON tables (status, created);

CREATE TABLE seats (
  table_id TEXT NOT NULL,
  seat INTEGER NOT NULL,
  kind TEXT NOT NULL,
  person TEXT,
  name TEXT,
  level INTEGER,
  PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_by_person ON seats (person) WHERE person IS NOT NULL;

-- Whoever writes a ply first is right: the primary key says who was.
CREATE TABLE moves (
  table_id TEXT NOT NULL,
  ply INTEGER NOT NULL CHECK (ply >= 1),
  seat INTEGER NOT NULL,
  action INTEGER NOT NULL,
  played_by TEXT NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (table_id, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE chat (
  table_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  person TEXT NOT NULL,
  name TEXT NOT NULL,
  seat INTEGER,
  text TEXT NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;

-- One row, written to learn whether the store can be written.
CREATE TABLE checks (id INTEGER PRIMARY KEY, written INTEGER NOT NULL) STRICT;
INSERT INTO checks VALUES (1, 0);
