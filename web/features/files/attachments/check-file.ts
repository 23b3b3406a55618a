import type { FileLimits } from '../../../../server/domains/files/schema';
import { formatBytes } from '../../../lib/format';

/** Why a file would be refused, told before any byte goes out; null when it may try. Pure. */
export function refusalOf(file: { name: string; size: number }, limits: FileLimits): string | null {
  if (file.size > limits.maxSizeBytes) {
    return `${formatBytes(file.size)} are too much: a file may have ${formatBytes(limits.maxSizeBytes)}.`;
  }
  // As the server reads names: Windows drops dots and spaces at the end.
  const extension = /\.([^.]*)$/.exec(file.name.replace(/[.\s]+$/u, ''))?.[1]?.toLowerCase() ?? '';
  const isRefused = limits.refusedExtensions.some((refused) => refused.replace(/^\./, '').toLowerCase() === extension);
  return isRefused ? `Programs and scripts (.${extension}) cannot be attached.` : null;
}
