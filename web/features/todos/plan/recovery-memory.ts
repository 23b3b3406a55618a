/** For which version of a plan the recovery note was already shown, in this browser. */
import { readStoredJson, writeStored } from '../../../lib/storage';

const KEY = 'plan-recovery-noted';
/** Sessions that are remembered; the longest ago is forgotten first. */
const KEPT = 50;

function read(): [sessionId: string, revision: number][] {
  const stored = readStoredJson(KEY);
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (entry): entry is [string, number] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number',
  );
}

export const isRecoveryNoted = (sessionId: string, revision: number): boolean =>
  read().some(([id, noted]) => id === sessionId && noted >= revision);

export function noteRecovery(sessionId: string, revision: number): void {
  const others = read().filter(([id]) => id !== sessionId);
  writeStored(KEY, JSON.stringify([...others, [sessionId, revision]].slice(-KEPT)));
}
