-- Matches are dealt from a keyed stream; those dealt before keep the stream that dealt them.

ALTER TABLE tables ADD COLUMN stream TEXT NOT NULL DEFAULT 'fast';
UPDATE tables SET stream = 'keyed' WHERE status = 'open';
