-- Moves that take others back mark a match; lists count them.

CREATE INDEX moves_undone ON moves (table_id) WHERE played_by = 'undo';
