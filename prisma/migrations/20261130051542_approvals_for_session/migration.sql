-- AlterTable
ALTER TABLE "run_approvals" ADD COLUMN     "holds_for_session" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "may_hold_for_session" BOOLEAN NOT NULL DEFAULT false;

-- What waits for a person is little beside what was answered, and lists ask for it.
CREATE INDEX "idx_run_approvals_open" ON "run_approvals" ("run_id") WHERE "decision" IS NULL;
