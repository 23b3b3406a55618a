/**
 * Values of sessions that must survive restarts (seed 001), for people. Every call names a session, and the owner key
 * follows from that session, never from the caller. Tools that run inside a session use the store's `KvStore` with the
 * owner they were given.
 */
import type { KvMatch, KvSearchInput } from './schema';
import type { KvScope, KvStore } from './store';

interface Place {
  sessionId: string;
  scope: string;
}

export interface KvService<Person> {
  get(person: Person, input: Place & { key: string }): Promise<{ value: string | null }>;
  set(person: Person, input: Place & { key: string; value: string }): Promise<void>;
  getAll(person: Person, input: Place): Promise<{ values: Record<string, string> }>;
  remove(person: Person, input: Place & { key: string }): Promise<{ isRemoved: boolean }>;
  clearScope(person: Person, input: Place): Promise<{ removed: number }>;
  search(person: Person, input: KvSearchInput): Promise<{ items: KvMatch[] }>;
}

export interface KvServiceDependencies<Person> {
  store: KvStore;
  /** Owner of a session this person may use, null for none. Throws `not-found` for every other one. */
  findSessionOwner(person: Person, sessionId: string): Promise<string | null>;
  /** The person's own owner key, for searches across their sessions. */
  userIdOf(person: Person): string | null;
}

export function createKvService<Person>(dependencies: KvServiceDependencies<Person>): KvService<Person> {
  const { store, findSessionOwner, userIdOf } = dependencies;
  const scopeOf = async (person: Person, { sessionId, scope }: Place): Promise<KvScope> => ({
    userId: await findSessionOwner(person, sessionId),
    sessionId,
    scope,
  });
  return {
    get: async (person, input) => ({ value: await store.get(await scopeOf(person, input), input.key) }),
    set: async (person, input) => await store.set(await scopeOf(person, input), input.key, input.value),
    getAll: async (person, input) => ({ values: await store.getAll(await scopeOf(person, input)) }),
    remove: async (person, input) => ({ isRemoved: await store.remove(await scopeOf(person, input), input.key) }),
    clearScope: async (person, input) => ({ removed: await store.clearScope(await scopeOf(person, input)) }),
    async search(person, input) {
      const userId = input.sessionId === undefined ? userIdOf(person) : await findSessionOwner(person, input.sessionId);
      return { items: await store.searchValues({ ...input, userId }) };
    },
  };
}
