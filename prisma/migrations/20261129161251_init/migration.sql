-- CreateEnum
CREATE TYPE "message_role" AS ENUM ('user', 'assistant', 'tool', 'system');

-- CreateEnum
CREATE TYPE "send_status" AS ENUM ('queued', 'delivered', 'cancelled');

-- CreateEnum
CREATE TYPE "run_status" AS ENUM ('running', 'done', 'stopped', 'interrupted', 'failed');

-- CreateEnum
CREATE TYPE "approval_decision" AS ENUM ('approved', 'denied');

-- CreateEnum
CREATE TYPE "token_source" AS ENUM ('real', 'calibrated', 'estimated');

-- CreateEnum
CREATE TYPE "run_state" AS ENUM ('idle', 'queued', 'running', 'stopping', 'interrupted');

-- CreateTable
CREATE TABLE "session_event_heads" (
    "session_id" TEXT NOT NULL,
    "last_id" INTEGER NOT NULL DEFAULT 0,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "run_id" TEXT,

    CONSTRAINT "session_event_heads_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "session_events" (
    "session_id" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "run_id" TEXT,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_events_pkey" PRIMARY KEY ("session_id","id")
);

-- CreateTable
CREATE TABLE "session_files" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "stored_as" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_images" (
    "id" SERIAL NOT NULL,
    "session_id" TEXT NOT NULL,
    "sequence_number" INTEGER NOT NULL,
    "file_id" TEXT NOT NULL,

    CONSTRAINT "session_images_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_store" (
    "id" SERIAL NOT NULL,
    "user_id" TEXT NOT NULL DEFAULT '',
    "session_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL DEFAULT '',
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_store_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_messages" (
    "id" BIGSERIAL NOT NULL,
    "session_id" TEXT NOT NULL,
    "sequence_number" INTEGER NOT NULL,
    "role" "message_role" NOT NULL,
    "content" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "is_display" BOOLEAN NOT NULL DEFAULT true,
    "is_context" BOOLEAN NOT NULL DEFAULT true,
    "is_plan" BOOLEAN NOT NULL DEFAULT false,
    "is_compression" BOOLEAN NOT NULL DEFAULT false,
    "is_summary" BOOLEAN NOT NULL DEFAULT false,
    "is_compression_critical" BOOLEAN NOT NULL DEFAULT false,
    "is_recall" BOOLEAN NOT NULL DEFAULT false,
    "thinking" TEXT,
    "tool_calls" JSONB,
    "tool_call_id" TEXT,
    "name" TEXT,
    "files" JSONB,
    "images" JSONB,
    "elapsed_seconds" DOUBLE PRECISION,
    "tool_call_count" INTEGER,
    "token_count" INTEGER,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "superseded_by" INTEGER,
    "branch_id" INTEGER,

    CONSTRAINT "session_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_messages_archive" (
    "id" BIGINT NOT NULL,
    "session_id" TEXT NOT NULL,
    "sequence_number" INTEGER NOT NULL,
    "role" "message_role" NOT NULL,
    "content" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "is_display" BOOLEAN NOT NULL DEFAULT true,
    "is_context" BOOLEAN NOT NULL DEFAULT false,
    "is_plan" BOOLEAN NOT NULL DEFAULT false,
    "is_compression" BOOLEAN NOT NULL DEFAULT false,
    "is_summary" BOOLEAN NOT NULL DEFAULT false,
    "is_compression_critical" BOOLEAN NOT NULL DEFAULT false,
    "is_recall" BOOLEAN NOT NULL DEFAULT false,
    "thinking" TEXT,
    "tool_calls" JSONB,
    "tool_call_id" TEXT,
    "name" TEXT,
    "files" JSONB,
    "images" JSONB,
    "elapsed_seconds" DOUBLE PRECISION,
    "tool_call_count" INTEGER,
    "token_count" INTEGER,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "superseded_by" INTEGER,
    "branch_id" INTEGER,
    "archived_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_messages_archive_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message_sends" (
    "session_id" TEXT NOT NULL,
    "client_message_id" TEXT NOT NULL,
    "status" "send_status" NOT NULL,
    "text" TEXT NOT NULL DEFAULT '',
    "file_ids" JSONB NOT NULL DEFAULT '[]',
    "position" BIGSERIAL NOT NULL,
    "sequence_number" INTEGER,
    "run_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_sends_pkey" PRIMARY KEY ("session_id","client_message_id")
);

-- CreateTable
CREATE TABLE "session_runs" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "status" "run_status" NOT NULL DEFAULT 'running',
    "worker_id" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "lease_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "stop_requested_at" TIMESTAMPTZ(3),
    "model" TEXT NOT NULL,
    "step" INTEGER NOT NULL DEFAULT 0,
    "after_sequence" INTEGER NOT NULL,
    "error" JSONB,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_approvals" (
    "run_id" TEXT NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "tool_name" TEXT NOT NULL,
    "arguments" JSONB NOT NULL,
    "risk" TEXT NOT NULL,
    "decision" "approval_decision",
    "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_approvals_pkey" PRIMARY KEY ("run_id","tool_call_id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "profile_id" TEXT NOT NULL,
    "user_id" TEXT,
    "parent_id" TEXT,
    "name" TEXT,
    "pinned" BOOLEAN NOT NULL DEFAULT false,
    "model" TEXT,
    "next_sequence" INTEGER NOT NULL DEFAULT 1,
    "branch_id" INTEGER,
    "display_message_count" INTEGER NOT NULL DEFAULT 0,
    "preview" TEXT NOT NULL DEFAULT '',
    "context_token_count" INTEGER NOT NULL DEFAULT 0,
    "context_token_source" "token_source" NOT NULL DEFAULT 'estimated',
    "run_state" "run_state" NOT NULL DEFAULT 'idle',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_active" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_branches" (
    "id" SERIAL NOT NULL,
    "session_id" TEXT NOT NULL,
    "parent_id" INTEGER,
    "fork_sequence" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_branches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "navi_users" (
    "id" TEXT NOT NULL,
    "name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "navi_users_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "session_events_created_at_idx" ON "session_events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "session_files_session_id_name_key" ON "session_files"("session_id", "name");

-- CreateIndex
CREATE INDEX "session_images_session_id_sequence_number_idx" ON "session_images"("session_id", "sequence_number");

-- CreateIndex
CREATE INDEX "session_store_user_id_scope_updated_at_idx" ON "session_store"("user_id", "scope", "updated_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "session_store_user_id_session_id_scope_key_key" ON "session_store"("user_id", "session_id", "scope", "key");

-- CreateIndex
CREATE INDEX "idx_session_messages_context" ON "session_messages"("session_id", "is_context", "sequence_number");

-- CreateIndex
CREATE UNIQUE INDEX "idx_session_messages_session_seq" ON "session_messages"("session_id", "sequence_number");

-- CreateIndex
CREATE UNIQUE INDEX "idx_session_messages_archive_session_seq" ON "session_messages_archive"("session_id", "sequence_number");

-- CreateIndex
CREATE INDEX "message_sends_session_id_status_position_idx" ON "message_sends"("session_id", "status", "position");

-- CreateIndex
CREATE INDEX "message_sends_status_session_id_idx" ON "message_sends"("status", "session_id");

-- CreateIndex
CREATE INDEX "session_runs_session_id_started_at_idx" ON "session_runs"("session_id", "started_at" DESC);

-- CreateIndex
CREATE INDEX "session_runs_status_lease_expires_at_idx" ON "session_runs"("status", "lease_expires_at");

-- CreateIndex
CREATE INDEX "idx_sessions_list" ON "sessions"("user_id", "pinned" DESC, "last_active" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sessions_parent_id_idx" ON "sessions"("parent_id");

-- CreateIndex
CREATE INDEX "sessions_removed_at_idx" ON "sessions"("removed_at");

-- CreateIndex
CREATE INDEX "session_branches_session_id_fork_sequence_idx" ON "session_branches"("session_id", "fork_sequence");

-- AddForeignKey
ALTER TABLE "session_event_heads" ADD CONSTRAINT "session_event_heads_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_events" ADD CONSTRAINT "session_events_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_files" ADD CONSTRAINT "session_files_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_images" ADD CONSTRAINT "session_images_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_images" ADD CONSTRAINT "session_images_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "session_files"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_messages" ADD CONSTRAINT "session_messages_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_messages_archive" ADD CONSTRAINT "session_messages_archive_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message_sends" ADD CONSTRAINT "message_sends_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_runs" ADD CONSTRAINT "session_runs_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_approvals" ADD CONSTRAINT "run_approvals_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "session_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "navi_users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_branches" ADD CONSTRAINT "session_branches_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
