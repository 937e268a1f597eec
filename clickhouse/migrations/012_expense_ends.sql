-- An expense may end on a day up to 9999-12-31, which no Date holds. Rows without end_day end on ended_on.
ALTER TABLE expenses {on_cluster}
    ADD COLUMN IF NOT EXISTS end_day Nullable(Int32) COMMENT 'days from 1970-01-01 to the last day; null: see ended_on' AFTER ended_on,
    COMMENT COLUMN ended_on 'inclusive, and 2148-12-31 for every later day; null: goes on';
