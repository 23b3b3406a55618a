-- Vectors move to a table of their own. They are not carried over: the upkeep job asks for them again, with the sketches that searches read.
-- AlterTable
ALTER TABLE "memory_chunks" DROP COLUMN "embedding",
DROP COLUMN "embedding_model";

-- CreateTable
CREATE TABLE "memory_embeddings" (
    "chunk_id" INTEGER NOT NULL,
    "session_id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "sketch" VARBIT NOT NULL,
    "vector" BYTEA,

    CONSTRAINT "memory_embeddings_pkey" PRIMARY KEY ("chunk_id")
);

-- CreateIndex
CREATE INDEX "idx_memory_embeddings_session" ON "memory_embeddings"("session_id", "model");

-- AddForeignKey
ALTER TABLE "memory_embeddings" ADD CONSTRAINT "memory_embeddings_chunk_id_fkey" FOREIGN KEY ("chunk_id") REFERENCES "memory_chunks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
