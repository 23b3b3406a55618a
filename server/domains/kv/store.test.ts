import { beforeEach, expect, it } from 'vitest';
import { AppError } from '../../lib/errors';
import { describeEachEngine } from '../../testing/database';
import { createKvService } from './service';
import { createKvStore, type KvScope, type KvStore } from './store';

describeEachEngine('the key-value store', (getDatabase) => {
  let store: KvStore;
  const at = (change: Partial<KvScope> = {}): KvScope => ({
    userId: 'ann',
    sessionId: 's1',
    scope: 'scratchpad',
    ...change,
  });
  const keys = (found: { key: string }[]) => found.map(({ key }) => key);

  beforeEach(async () => {
    await getDatabase().reset();
    store = createKvStore(getDatabase());
  });

  it('sets, gets, replaces, lists and removes', async () => {
    expect(await store.get(at(), 'a')).toBeNull();
    await store.set(at(), 'b', '2');
    await store.set(at(), 'a', '1');
    await store.set(at(), 'a', 'one');
    expect(await store.get(at(), 'a')).toBe('one');
    expect(Object.entries(await store.getAll(at()))).toEqual([
      ['a', 'one'],
      ['b', '2'],
    ]);
    expect(await store.remove(at(), 'a')).toBe(true);
    expect(await store.remove(at(), 'a')).toBe(false);
    expect(await store.clearScope(at())).toBe(1);
    expect(await store.getAll(at())).toEqual({});
  });

  it('keeps owners, sessions and scopes apart', async () => {
    await store.set(at(), 'k', 'mine');
    for (const other of [at({ userId: 'bob' }), at({ sessionId: 's2' }), at({ scope: 'todo' }), at({ userId: null })]) {
      expect(await store.get(other, 'k')).toBeNull();
      await store.set(other, 'k', 'other');
      await store.clearScope(other);
    }
    expect(await store.get(at(), 'k')).toBe('mine');
  });

  it('treats no owner and the empty owner as one: no second row for anonymous sessions', async () => {
    await store.set(at({ userId: null }), 'k', '1');
    await store.set(at({ userId: '' }), 'k', '2');
    expect(await store.get(at({ userId: null }), 'k')).toBe('2');
    expect(await getDatabase().prisma.sessionStore.count()).toBe(1);
  });

  it('drops NUL and keeps everything else', async () => {
    const value = 'a%_\\"\'\n\u202f⭐️ Привіт';
    await store.set(at(), 'na\u0000me', `x\u0000${value}`);
    expect(await store.get(at(), 'name')).toBe(`x${value}`);
    expect(await store.get(at(), 'na\u0000me')).toBe(`x${value}`);
    expect(keys(await store.searchValues({ userId: 'ann', scope: 'scratchpad', terms: ['X\u0000A'] }))).toEqual([
      'name',
    ]);
  });

  it('loses nothing when many write at once', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => store.append(at(), 'log', `${index};`)));
    const written =
      (await store.get(at(), 'log'))
        ?.split(';')
        .filter((part) => part !== '')
        .map(Number) ?? [];
    expect(written.sort((left, right) => left - right)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    expect(await store.append(at(), 'new', 'x')).toBe('x');
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.set(at(), 'one', String(index))));
    expect(await getDatabase().prisma.sessionStore.count()).toBe(3);
  });

  it('searches keys and values: any term, literally, in every script, case and form', async () => {
    const values: Record<string, string> = {
      percent: '100% done',
      thousand: '1000 done',
      table: 'FM_TABLE',
      other: 'FMXTABLE',
      path: 'C:\\dir\\50\\%',
      cyrillic: 'Привіт, світе',
      polish: 'Łąka pełna maków'.normalize('NFD'),
      cjk: '问题 日本',
      star: '⭐️',
      arabic: 'مرحبا',
      regex: 'a.*b([',
    };
    for (const [key, value] of Object.entries(values)) await store.set(at(), key, value);
    const find = async (...terms: string[]) =>
      keys(await store.searchValues({ userId: 'ann', scope: 'scratchpad', terms, limit: 50 })).sort();
    expect(await find('100%')).toEqual(['percent']);
    expect(await find('fm_')).toEqual(['table']);
    expect(await find('50\\%')).toEqual(['path']);
    expect(await find('c:\\DIR')).toEqual(['path']);
    expect(await find('ПРИВІТ')).toEqual(['cyrillic']);
    expect(await find('łąka')).toEqual(['polish']);
    expect(await find('问题')).toEqual(['cjk']);
    expect(await find('⭐')).toEqual(['star']);
    expect(await find('مرحبا')).toEqual(['arabic']);
    expect(await find('a.*b(')).toEqual(['regex']);
    expect(await find('CYRILL')).toEqual(['cyrillic']);
    expect(await find('日本', 'fmx', 'nothing')).toEqual(['cjk', 'other']);
    expect(await find('nothing')).toEqual([]);
    expect(await find('  ', '')).toHaveLength(Object.keys(values).length);
  });

  it('ranks the preferred session first, then the newest; without terms the most recent', async () => {
    const { prisma } = getDatabase();
    const rows = [
      ['s1', 'old', 1],
      ['s1', 'older', 0],
      ['s2', 'new', 3],
      ['s3', 'middle', 2],
    ] as const;
    for (const [sessionId, key, minute] of rows) {
      await prisma.sessionStore.create({
        data: {
          userId: 'ann',
          scope: 'scratchpad',
          sessionId,
          key,
          value: 'note',
          updatedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
        },
      });
    }
    const find = (more: object) => store.searchValues({ userId: 'ann', scope: 'scratchpad', terms: [], ...more });
    expect(keys(await find({}))).toEqual(['new', 'middle', 'old', 'older']);
    expect(keys(await find({ terms: ['NOTE'], preferSessionId: 's1' }))).toEqual(['old', 'older', 'new', 'middle']);
    expect(keys(await find({ sessionId: 's1' }))).toEqual(['old', 'older']);
    expect(keys(await find({ limit: 2 }))).toEqual(['new', 'middle']);
    await store.set(at(), 'older', 'note');
    expect(keys(await find({ limit: 1 }))).toEqual(['older']);
  });

  it('finds ten by default, also behind hundreds that do not match', async () => {
    await getDatabase().prisma.sessionStore.createMany({
      data: Array.from({ length: 350 }, (_, index) => ({
        userId: 'ann',
        scope: 'scratchpad',
        sessionId: 's1',
        key: `k${index}`,
        value: index < 20 ? 'needle' : 'hay',
        updatedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)),
      })),
    });
    const found = await store.searchValues({ userId: 'ann', scope: 'scratchpad', terms: ['needle'] });
    expect(keys(found)).toEqual(Array.from({ length: 10 }, (_, index) => `k${19 - index}`));
  });

  it('does not find what was deleted, from the moment it was', async () => {
    const { prisma } = getDatabase();
    await prisma.session.create({ data: { id: 's1', profileId: 'default' } });
    await store.set(at(), 'k', 'note');
    await prisma.session.update({ where: { id: 's1' }, data: { removedAt: new Date() } });
    expect(await store.searchValues({ userId: 'ann', scope: 'scratchpad', terms: [] })).toEqual([]);
    await prisma.session.update({ where: { id: 's1' }, data: { removedAt: null } });
    expect(await store.searchValues({ userId: 'ann', scope: 'scratchpad', terms: [] })).toHaveLength(1);
    await store.removeSession('s1');
    expect(await store.getAll(at())).toEqual({});
  });

  it('moves a claimed session to its new owner, whose own value stands where both have one', async () => {
    await store.set(at({ userId: null }), 'a', 'legacy');
    await store.set(at({ userId: null }), 'b', 'legacy');
    await store.set(at(), 'b', 'own');
    await store.set(at({ userId: null, sessionId: 's2' }), 'a', 'untouched');
    await store.changeOwner('s1', 'ann');
    expect(await store.getAll(at())).toEqual({ a: 'legacy', b: 'own' });
    expect(await store.getAll(at({ userId: null }))).toEqual({});
    expect(await store.getAll(at({ userId: null, sessionId: 's2' }))).toEqual({ a: 'untouched' });
  });

  it('lets people reach only sessions that are theirs', async () => {
    const owners: Record<string, string> = { s1: 'ann', s2: 'bob' };
    const service = createKvService<string>({
      store,
      userIdOf: (person) => person,
      findSessionOwner: async (person, sessionId) => {
        if (owners[sessionId] !== person) throw new AppError('not-found', 'no such session');
        return person;
      },
    });
    const place = { sessionId: 's1', scope: 'notes', key: 'k' };
    await service.set('ann', { ...place, value: 'v' });
    expect(await service.get('ann', place)).toEqual({ value: 'v' });
    expect(await service.getAll('ann', place)).toEqual({ values: { k: 'v' } });
    for (const attempt of [
      () => service.get('bob', place),
      () => service.set('bob', { ...place, value: 'x' }),
      () => service.remove('bob', place),
      () => service.clearScope('bob', place),
      () => service.search('bob', { scope: 'notes', terms: [], limit: 10, sessionId: 's1' }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'not-found' });
    }
    const search = { scope: 'notes', terms: ['V'], limit: 10 };
    expect((await service.search('ann', search)).items).toMatchObject([{ sessionId: 's1', key: 'k', value: 'v' }]);
    expect((await service.search('bob', { ...search, preferSessionId: 's1' })).items).toEqual([]);
    expect(await service.remove('ann', place)).toEqual({ isRemoved: true });
  });
});
