-- Changes of past days
-- What days that were over have changed by since, and what changed them.
SELECT
    r.figure AS figure,
    arrayStringConcat(r.causes, ', ') AS causes,
    count() AS changes,
    uniqExact(r.day) AS days,
    sum(r.after - r.before) AS difference
FROM bi.restatements AS r
GROUP BY figure, causes
ORDER BY figure, causes
