/**
 * What is never stored (product §8): native executables, by their signature and whatever they are called, and scripts by
 * their extension. `.js` and `.ts` are source text and welcome. What refuses throws `invalid-input` in words for people.
 */
import { AppError } from '../../../lib/errors';

/** Extensions that an upload may not have, without their dot. */
export const refusedExtensions = [
  'exe',
  'dll',
  'com',
  'bat',
  'cmd',
  'ps1',
  'sh',
  'py',
  'rb',
  'pl',
  'jar',
  'app',
  'msi',
  'scr',
  'vbs',
] as const;

/** Source that an agent may hand to its person: nothing runs it by a double click. */
const sourceOfAgents: readonly string[] = ['sh', 'py', 'rb', 'pl'];

/** Bytes that `isNativeExecutable` wants to see. */
export const EXECUTABLE_SAMPLE_BYTES = 4096;

/**
 * The refused extension of a name, null when it has none. Trailing dots and spaces do not count, as Windows drops them, and
 * neither does what follows a colon, which names a stream of the same file there.
 */
export function refusedExtensionOf(name: string, origin: 'upload' | 'agent' = 'upload'): string | null {
  for (const part of name.split(':')) {
    const extension = (/\.([^.]*)$/.exec(part.replace(/[.\s]+$/u, ''))?.[1] ?? '').toLowerCase();
    if (origin === 'agent' && sourceOfAgents.includes(extension)) continue;
    if ((refusedExtensions as readonly string[]).includes(extension)) return extension;
  }
  return null;
}

export function refuseExtension(name: string, origin: 'upload' | 'agent' = 'upload'): void {
  const extension = refusedExtensionOf(name, origin);
  if (extension === null) return;
  throw new AppError('invalid-input', `Files that end in .${extension} are not taken, as they can run as a program.`);
}

export function refuseContent({ isExecutable }: { isExecutable: boolean }): void {
  if (isExecutable) throw new AppError('invalid-input', 'By its content this is a program, which is not taken.');
}

/** Neither browsers nor `sharp` as it is shipped read HEIC. */
export function refuseUnreadableImage(mimeType: string): void {
  if (!/^image\/hei[cf]/.test(mimeType)) return;
  throw new AppError('invalid-input', 'HEIC pictures cannot be shown here. Save it as JPEG or PNG first.');
}

/** ELF, PE and DOS, Mach-O of one or several architectures. `sample` is the file's beginning. */
export function isNativeExecutable(sample: Uint8Array): boolean {
  if (sample.length < 4) return false;
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength);
  const magic = view.getUint32(0);
  if (magic === 0x7f454c46) return true;
  if ([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe].includes(magic)) return true;
  // A fat Mach-O counts its architectures here, a Java class its version, which is never below 45.
  if (magic === 0xcafebabe || magic === 0xcafebabf) return sample.length >= 8 && view.getUint32(4) < 40;
  // "MZ" begins many a text; the header behind it is binary.
  return sample[0] === 0x4d && sample[1] === 0x5a && sample.subarray(2, 64).includes(0);
}
