-- CreateEnum
CREATE TYPE "compression_trigger" AS ENUM ('preturn', 'midturn', 'postturn', 'forced');

-- CreateEnum
CREATE TYPE "compression_status" AS ENUM ('running', 'done', 'failed');

-- CreateEnum
CREATE TYPE "compression_method" AS ENUM ('summary', 'hard-truncate');

-- CreateEnum
CREATE TYPE "run_kind" AS ENUM ('turn', 'compression');

-- AlterTable
ALTER TABLE "session_runs" ADD COLUMN     "kind" "run_kind" NOT NULL DEFAULT 'turn';

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "session_metadata" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "session_compressions" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "trigger" "compression_trigger" NOT NULL,
    "model" TEXT NOT NULL,
    "status" "compression_status" NOT NULL DEFAULT 'running',
    "focus" TEXT,
    "method" "compression_method",
    "faults" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "reason" TEXT,
    "covered_sequences" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "summary_sequence" INTEGER,
    "marker_sequence" INTEGER,
    "window_tokens" INTEGER NOT NULL,
    "tokens_before" INTEGER NOT NULL,
    "tokens_after" INTEGER,
    "messages_before" INTEGER NOT NULL,
    "messages_after" INTEGER,
    "breadcrumbs" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "duration_ms" INTEGER,
    "has_chunks" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_compressions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model_calibrations" (
    "model" TEXT NOT NULL,
    "observations" JSONB NOT NULL DEFAULT '[]',
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "model_calibrations_pkey" PRIMARY KEY ("model")
);

-- CreateTable
CREATE TABLE "session_context_states" (
    "session_id" TEXT NOT NULL,
    "baseline" JSONB,
    "breaker" JSONB,
    "is_truncated" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "session_context_states_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "memory_chunks" (
    "id" SERIAL NOT NULL,
    "session_id" TEXT NOT NULL,
    "compression_id" TEXT,
    "content_hash" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "passages" JSONB NOT NULL,
    "first_sequence" INTEGER NOT NULL,
    "last_sequence" INTEGER NOT NULL,
    "first_turn" INTEGER NOT NULL,
    "last_turn" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "breadcrumbs" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "terms" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "embedding" BYTEA,
    "embedding_model" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memory_chunks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memory_terms" (
    "session_id" TEXT NOT NULL,
    "term" INTEGER NOT NULL,
    "chunks" INTEGER NOT NULL,

    CONSTRAINT "memory_terms_pkey" PRIMARY KEY ("session_id","term")
);

-- CreateIndex
CREATE INDEX "idx_session_compressions_session" ON "session_compressions"("session_id", "status", "summary_sequence");

-- CreateIndex
CREATE INDEX "session_compressions_run_id_idx" ON "session_compressions"("run_id");

-- CreateIndex
CREATE INDEX "session_compressions_status_has_chunks_idx" ON "session_compressions"("status", "has_chunks");

-- CreateIndex
CREATE INDEX "idx_memory_chunks_session" ON "memory_chunks"("session_id", "first_sequence");

-- CreateIndex
CREATE INDEX "idx_memory_chunks_terms" ON "memory_chunks" USING GIN ("terms");

-- CreateIndex
CREATE UNIQUE INDEX "memory_chunks_session_id_content_hash_key" ON "memory_chunks"("session_id", "content_hash");

-- AddForeignKey
ALTER TABLE "session_compressions" ADD CONSTRAINT "session_compressions_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_context_states" ADD CONSTRAINT "session_context_states_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memory_chunks" ADD CONSTRAINT "memory_chunks_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memory_terms" ADD CONSTRAINT "memory_terms_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
