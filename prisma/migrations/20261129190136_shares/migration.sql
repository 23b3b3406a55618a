-- CreateTable
CREATE TABLE "session_shares" (
    "session_id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_shares_pkey" PRIMARY KEY ("session_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "session_shares_token_key" ON "session_shares"("token");

-- AddForeignKey
ALTER TABLE "session_shares" ADD CONSTRAINT "session_shares_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Which messages name a file: asked with each file that the holder of a share fetches. By hand, because Prisma has no
-- partial indexes: rows without files, which is nearly all of them, cost nothing.
CREATE INDEX "idx_session_messages_images" ON "session_messages" USING GIN ("images" jsonb_path_ops) WHERE "images" IS NOT NULL;
CREATE INDEX "idx_session_messages_archive_images" ON "session_messages_archive" USING GIN ("images" jsonb_path_ops) WHERE "images" IS NOT NULL;
CREATE INDEX "idx_session_messages_artifact" ON "session_messages" (("metadata" -> 'artifact' ->> 'id')) WHERE "metadata" ? 'artifact';
CREATE INDEX "idx_session_messages_archive_artifact" ON "session_messages_archive" (("metadata" -> 'artifact' ->> 'id')) WHERE "metadata" ? 'artifact';
