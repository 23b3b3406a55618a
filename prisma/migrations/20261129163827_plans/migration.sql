-- CreateEnum
CREATE TYPE "protocol_run_status" AS ENUM ('active', 'finished', 'cancelled', 'failed');

-- AlterTable
ALTER TABLE "message_sends" ADD COLUMN     "is_planned" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "parent_tool_call_id" TEXT;

-- CreateTable
CREATE TABLE "planning_logs" (
    "id" SERIAL NOT NULL,
    "session_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "after_sequence" INTEGER NOT NULL,
    "phases" JSONB NOT NULL DEFAULT '[]',
    "outcome" TEXT NOT NULL DEFAULT 'running',
    "plan_sequence" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "planning_logs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "protocol_runs" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "protocol_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" "protocol_run_status" NOT NULL DEFAULT 'active',
    "note" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "protocol_runs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "planning_logs_session_id_id_idx" ON "planning_logs"("session_id", "id" DESC);

-- CreateIndex
CREATE INDEX "protocol_runs_session_id_started_at_idx" ON "protocol_runs"("session_id", "started_at" DESC);

-- AddForeignKey
ALTER TABLE "planning_logs" ADD CONSTRAINT "planning_logs_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "protocol_runs" ADD CONSTRAINT "protocol_runs_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
