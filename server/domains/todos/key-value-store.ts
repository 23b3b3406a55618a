/**
 * Plans in the key-value store, for an instance without the plan tables (seed 000's fallback). It keeps revisions counted
 * but not their contents, so nothing can be restored.
 */
import type { Transaction } from '../../database/transaction';
import type { KvStore } from '../kv/store';
import { formatKeyValuePlan, parseKeyValuePlan } from './engine/stored';
import { LEGACY_KEY, LEGACY_SCOPE } from './legacy-store';
import type { StoredPlan, TodoKey, TodoStore } from './store';

/** `kvIn` answers the store as seen from inside a transaction, or outside of any. */
export function createKvTodoStore({ kvIn, now }: { kvIn(tx?: Transaction): KvStore; now(): Date }): TodoStore {
  const at = ({ userId, sessionId }: TodoKey) => ({ userId, sessionId, scope: LEGACY_SCOPE });

  async function load(key: TodoKey, tx?: Transaction): Promise<StoredPlan | null> {
    const text = await kvIn(tx).get(at(key), LEGACY_KEY);
    if (text === null) return null;
    const plan = parseKeyValuePlan(text);
    if (plan === null) throw new Error(`the plan of session ${key.sessionId} cannot be read`);
    return { ...plan, updatedAt: new Date(plan.updatedAt ?? 0) };
  }

  async function write(key: TodoKey, plan: StoredPlan, tx?: Transaction): Promise<StoredPlan> {
    const text = formatKeyValuePlan({ ...plan, updatedAt: plan.updatedAt.toISOString() });
    await kvIn(tx).set(at(key), LEGACY_KEY, text);
    return plan;
  }

  return {
    ready: async () => {},
    load,
    async save(tx, key, plan) {
      const before = await load(key, tx);
      const recoveryNotedRevision = before?.recoveryNotedRevision ?? null;
      return write(
        key,
        { ...plan, revision: (before?.revision ?? 0) + 1, updatedAt: now(), recoveryNotedRevision },
        tx,
      );
    },
    async claimRecoveryNote(key, revision, tx) {
      const plan = await load(key, tx);
      if (plan?.revision !== revision || plan.recoveryNotedRevision === revision) return false;
      await write(key, { ...plan, recoveryNotedRevision: revision }, tx);
      return true;
    },
    listRevisions: async () => [],
    findAuthorsAfter: async () => [],
    findRevision: async () => null,
    changeOwner: async (tx, sessionId, userId) => kvIn(tx).changeOwner(sessionId, userId),
  };
}
