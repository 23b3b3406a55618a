-- DropForeignKey
ALTER TABLE "session_images" DROP CONSTRAINT "session_images_session_id_file_id_fkey";

-- DropIndex
DROP INDEX "session_images_session_id_sequence_number_idx";

-- CreateIndex
CREATE INDEX "session_images_session_id_file_id_idx" ON "session_images"("session_id", "file_id");

-- By hand: images of messages were looked up in the messages themselves until now. What they show becomes rows, and the two
-- indexes go, which every message with images had to keep up.
INSERT INTO "session_images" ("session_id", "sequence_number", "file_id")
SELECT m."session_id", m."sequence_number", image ->> 'id'
FROM (
    SELECT "session_id", "sequence_number", "images" FROM "session_messages" WHERE "images" IS NOT NULL
    UNION ALL
    SELECT "session_id", "sequence_number", "images" FROM "session_messages_archive" WHERE "images" IS NOT NULL
) m
CROSS JOIN LATERAL jsonb_array_elements(m."images") AS image
WHERE jsonb_typeof(m."images") = 'array' AND image ->> 'id' IS NOT NULL;
DROP INDEX "idx_session_messages_images";
DROP INDEX "idx_session_messages_archive_images";
