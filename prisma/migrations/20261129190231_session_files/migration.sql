-- CreateEnum
CREATE TYPE "file_origin" AS ENUM ('upload', 'image', 'agent');

-- DropForeignKey
ALTER TABLE "session_images" DROP CONSTRAINT "session_images_file_id_fkey";

-- AlterTable
ALTER TABLE "session_files" DROP CONSTRAINT "session_files_pkey",
ADD COLUMN     "height" INTEGER,
ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'other',
ADD COLUMN     "origin" "file_origin" NOT NULL DEFAULT 'upload',
ADD COLUMN     "published_at" TIMESTAMPTZ(3),
ADD COLUMN     "width" INTEGER,
ADD CONSTRAINT "session_files_pkey" PRIMARY KEY ("session_id", "id");

-- CreateIndex
CREATE INDEX "session_files_session_id_sha256_idx" ON "session_files"("session_id", "sha256");

-- AddForeignKey
ALTER TABLE "session_images" ADD CONSTRAINT "session_images_session_id_file_id_fkey" FOREIGN KEY ("session_id", "file_id") REFERENCES "session_files"("session_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
