/** Removes folders whose session is gone, and what uploads left behind that ended with their process. */
import type { JobDefinition } from './definition';

export const fileCleanUpJob = {
  name: 'file-clean-up',
  cron: '* * * * *',
} as const satisfies JobDefinition;

export function createFileCleanUpJob({ files }: { files: { run(): Promise<void> } }) {
  return async (): Promise<void> => files.run();
}
