-- People, their tables, what was played and said there.

CREATE TABLE people (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  created DOUBLE PRECISION NOT NULL
);

CREATE TABLE links (
  token_hash TEXT PRIMARY KEY,
  person TEXT NOT NULL,
  expires DOUBLE PRECISION NOT NULL,
  used DOUBLE PRECISION
);

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
  created DOUBLE PRECISION NOT NULL,
  started DOUBLE PRECISION,
  ended DOUBLE PRECISION,
  scores TEXT,
  winners TEXT,
  rematch TEXT,
  version INTEGER NOT NULL,
  lines INTEGER NOT NULL DEFAULT 0 -- how much was said
);

CREATE INDEX tables_by_status ON tables (status, created);

CREATE TABLE seats (
  table_id TEXT NOT NULL,
  seat INTEGER NOT NULL,
  kind TEXT NOT NULL,
  person TEXT,
  name TEXT,
  level INTEGER,
  PRIMARY KEY (table_id, seat)
);

CREATE INDEX seats_by_person ON seats (person) WHERE person IS NOT NULL;

-- Whoever writes a ply first is right: the primary key says who was.
CREATE TABLE moves (
  table_id TEXT NOT NULL,
  ply INTEGER NOT NULL CHECK (ply >= 1),
  seat INTEGER NOT NULL,
  action INTEGER NOT NULL,
  played_by TEXT NOT NULL,
  at DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (table_id, ply)
);

CREATE TABLE chat (
  table_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  person TEXT NOT NULL,
  name TEXT NOT NULL,
  seat INTEGER,
  text TEXT NOT NULL,
  at DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (table_id, number)
);

-- The processes that serve; they may all be gone after a crash of the database, hence unlogged.
CREATE UNLOGGED TABLE workers (id TEXT PRIMARY KEY, beat DOUBLE PRECISION NOT NULL);

-- One row, written to learn whether the store can be written.
CREATE TABLE checks (id INTEGER PRIMARY KEY, written BIGINT NOT NULL);
INSERT INTO checks VALUES (1, 0);
