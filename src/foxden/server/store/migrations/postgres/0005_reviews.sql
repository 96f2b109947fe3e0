-- Reviews of matches that are over, one for each seat that somebody asked about.

CREATE TABLE reviews (
  table_id TEXT NOT NULL,
  seat INTEGER NOT NULL,
  version INTEGER NOT NULL, -- of what reviews say
  at DOUBLE PRECISION NOT NULL, -- when it was last worked on
  done DOUBLE PRECISION NOT NULL, -- how far it is, 0 to 1
  content TEXT, -- JSON; null until it is done
  PRIMARY KEY (table_id, seat)
);

-- Where a match comes from, if not from a deal of its own: a day's deal, or another match.
ALTER TABLE tables ADD COLUMN source TEXT;
ALTER TABLE tables ADD COLUMN origin TEXT; -- JSON
CREATE INDEX tables_by_source ON tables (source, created) WHERE source IS NOT NULL;

-- Who has tried which puzzle, and how strong both are.
CREATE TABLE tries (
  person TEXT NOT NULL,
  puzzle TEXT NOT NULL,
  solved INTEGER NOT NULL,
  at DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (person, puzzle)
);
CREATE INDEX tries_by_puzzle ON tries (puzzle);

CREATE TABLE ratings (
  who TEXT PRIMARY KEY, -- a puzzle, or a person in a game
  rating DOUBLE PRECISION NOT NULL,
  tries INTEGER NOT NULL
);
