-- CreateIndex
CREATE INDEX "idx_memory_chunks_time" ON "memory_chunks"("session_id", "started_at");
