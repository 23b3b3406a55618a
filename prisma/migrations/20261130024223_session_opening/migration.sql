-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "opening" TEXT NOT NULL DEFAULT '';

-- By hand: sessions that were never named are called by their first words from now on.
-- Those that are there already get theirs.
UPDATE "sessions" s
SET "opening" = left(btrim(regexp_replace(left(m."content", 560), '\s+', ' ', 'g')), 140)
FROM (
    SELECT DISTINCT ON ("session_id") "session_id", "content"
    FROM "session_messages"
    WHERE "role" = 'user' AND "is_display" AND NOT "is_summary" AND "content" <> ''
    ORDER BY "session_id", "sequence_number"
) m
WHERE s."id" = m."session_id" AND s."name" IS NULL;
