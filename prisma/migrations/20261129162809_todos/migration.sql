-- CreateTable
CREATE TABLE "session_todos" (
    "user_id" TEXT NOT NULL DEFAULT '',
    "session_id" TEXT NOT NULL,
    "tasks" JSONB NOT NULL DEFAULT '[]',
    "revision" INTEGER NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_step_number" INTEGER NOT NULL DEFAULT 1,
    "recovery_noted_revision" INTEGER,

    CONSTRAINT "session_todos_pkey" PRIMARY KEY ("user_id","session_id")
);

-- CreateTable
CREATE TABLE "todo_revisions" (
    "session_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "tasks" JSONB NOT NULL,
    "author" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "todo_revisions_pkey" PRIMARY KEY ("session_id","revision")
);

-- CreateIndex
CREATE INDEX "session_todos_session_id_idx" ON "session_todos"("session_id");

-- AddForeignKey
ALTER TABLE "session_todos" ADD CONSTRAINT "session_todos_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "todo_revisions" ADD CONSTRAINT "todo_revisions_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
