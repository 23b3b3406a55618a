import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createDatabase } from '../db';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../testing/database';
import { createUnitOfWork, type Transaction } from './transaction';

// What must hold with several connections at once: real PostgreSQL.
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('postgres');
});
afterAll(() => database.close());
beforeEach(() => database.reset());

it('leaves connections to single statements, however many transactions are open or wait', async () => {
  const unitOfWork = createUnitOfWork(database);
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const transactions = Array.from({ length: 40 }, (_, index) =>
    unitOfWork.run(async (tx) => {
      await tx.client.$queryRaw`SELECT 1`;
      await gate;
      return index;
    }),
  );
  expect(await database.prisma.$queryRaw`SELECT 2 AS two`).toEqual([{ two: 2 }]);
  open();
  expect(await Promise.all(transactions)).toEqual(Array.from({ length: 40 }, (_, index) => index));
});

it('does after the commit what was put off until then, and nothing of it after a failure', async () => {
  const unitOfWork = createUnitOfWork(database);
  const done: string[] = [];
  const write = unitOfWork.run(async (tx) => {
    tx.afterCommit(() => done.push('told'));
    expect(done).toEqual([]);
  });
  await write;
  expect(done).toEqual(['told']);
  const failing = unitOfWork.run(async (tx) => {
    tx.afterCommit(() => done.push('never'));
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(done).toEqual(['told']);
});

it('does everything that was put off, and says that it has written, though one of them fails', async () => {
  const reported: unknown[] = [];
  const unitOfWork = createUnitOfWork(database, { reportUnexpected: (error) => reported.push(error) });
  const done: string[] = [];
  const failure = new Error('on purpose');
  const answer = await unitOfWork.run(async (tx) => {
    tx.afterCommit(() => {
      throw failure;
    });
    tx.afterCommit(() => done.push('told'));
    return 'written';
  });
  expect({ answer, done, reported }).toEqual({ answer: 'written', done: ['told'], reported: [failure] });
});

describeEachEngine('a transaction', (getDatabase) => {
  beforeEach(() => getDatabase().reset());

  const addByHand = (tx: Transaction, id: string) => tx.client.$executeRaw`INSERT INTO navi_users (id) VALUES (${id})`;
  const ids = async () => (await getDatabase().prisma.user.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id);

  it('writes what models and SQL by hand did together, or none of it', async () => {
    const unitOfWork = createUnitOfWork(getDatabase());
    await unitOfWork.run(async (tx) => {
      await tx.client.user.create({ data: { id: 'model' } });
      expect(await addByHand(tx, 'sql')).toBe(1);
      expect(await tx.client.user.count()).toBe(2);
    });
    const failing = unitOfWork.run(async (tx) => {
      await tx.client.user.create({ data: { id: 'model 2' } });
      await addByHand(tx, 'sql 2');
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await ids()).toEqual(['model', 'sql']);
  });

  it('takes in what Prisma writes in several statements', async () => {
    const create = (tx: Transaction) =>
      tx.client.session.create({
        data: { id: 'chat', profileId: 'default', head: { create: {} } },
        include: { head: true },
      });
    const unitOfWork = createUnitOfWork(getDatabase());
    const failing = unitOfWork.run(async (tx) => {
      await create(tx);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await getDatabase().prisma.session.count()).toBe(0);
    await unitOfWork.run(create);
    expect(await getDatabase().prisma.sessionEventHead.count()).toBe(1);
  });

  it('says so when a statement failed and nobody minded, as nothing of it was written', async () => {
    const work = createUnitOfWork(getDatabase()).run(async (tx) => {
      await addByHand(tx, 'lost');
      await tx.client.$queryRaw`SELECT 1 / 0`.catch(() => {});
    });
    await expect(work).rejects.toThrow('nothing was written');
    expect(await ids()).toEqual([]);
  });

  it('refuses statements that come after its end, and the next one knows nothing of them', async () => {
    const unitOfWork = createUnitOfWork(getDatabase());
    let kept: Transaction | undefined;
    await unitOfWork.run(async (tx) => {
      kept = tx;
    });
    const late = kept;
    if (late === undefined) throw new Error('no transaction');
    const model = (tx: Transaction) => tx.client.user.create({ data: { id: 'late' } });
    const refused = () => {
      expect(() => addByHand(late, 'late')).toThrow('over');
      expect(() => model(late)).toThrow('over');
    };
    refused();
    await unitOfWork.run(async (tx) => {
      await addByHand(tx, 'next');
      // The clients are kept, so they are open again: for this transaction only.
      refused();
    });
    expect(await ids()).toEqual(['next']);
  });

  it('sees the data as they were when it began to look, for reads that must agree', async () => {
    const { prisma } = getDatabase();
    // The embedded engine has one backend: a transaction that waits for another statement waits for ever there.
    if (getDatabase().engine === 'embedded') return;
    await createUnitOfWork(getDatabase()).read(async (tx) => {
      expect(await tx.client.user.count()).toBe(0);
      await prisma.user.create({ data: { id: 'meanwhile' } });
      expect(await tx.client.user.count()).toBe(0);
    });
    expect(await ids()).toEqual(['meanwhile']);
  });
});

it('fails when its connection breaks, and the next one gets another', async () => {
  const unitOfWork = createUnitOfWork(database);
  const work = unitOfWork.run(async (tx) => {
    const [{ pid }] = (await tx.client.$queryRaw`SELECT pg_backend_pid() AS pid`) as [{ pid: number }];
    await database.prisma.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
    await tx.client.$executeRaw`SELECT pg_sleep(1)`;
  });
  await expect(work).rejects.toThrow(/terminat/);
  expect(await unitOfWork.run((tx) => tx.client.$queryRaw`SELECT 3 AS three`)).toEqual([{ three: 3 }]);
});

it('keeps what a cut off one still writes out of the next one', async () => {
  const unitOfWork = createUnitOfWork({ ...database, transactionsAtOnce: 1 });
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let abandoned: Promise<unknown> = Promise.resolve();
  const cutOff = unitOfWork.run(async (tx) => {
    const [{ pid }] = (await tx.client.$queryRaw`SELECT pg_backend_pid() AS pid`) as [{ pid: number }];
    const models = tx.client.user;
    abandoned = gate.then(() => models.create({ data: { id: 'abandoned' } }));
    await database.prisma.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
    await abandoned;
  });
  await expect(cutOff).rejects.toThrow(/terminat/);
  await unitOfWork.run(async (tx) => {
    goOn();
    await expect(abandoned).rejects.toThrow('over');
    expect(await tx.client.user.count()).toBe(0);
  });
});

it('lets go of its rows when its process falls silent, so that other servers do not wait for it', async () => {
  const other = createDatabase({ url: database.url, engine: 'postgres', idleTransactionTimeoutMs: 50 });
  const silent = createUnitOfWork(other).run(async (tx) => {
    await tx.client.user.create({ data: { id: 'contested' } });
    await new Promise(() => {});
  });
  await expect(silent).rejects.toThrow(/idle-in-transaction/);
  await createUnitOfWork(database).run((tx) => tx.client.user.create({ data: { id: 'contested' } }));
  await other.close();
});

it('is cut off when it takes too long, whatever it waits for, and nothing of it stays', async () => {
  const timeoutMs = 60_000;
  const unitOfWork = createUnitOfWork({ ...database, transactionsAtOnce: 1 }, { timeoutMs });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const work = unitOfWork.run(async (tx) => {
    await tx.client.user.create({ data: { id: 'slow' } });
    vi.advanceTimersByTime(timeoutMs);
    await new Promise(() => {});
  });
  await expect(work).rejects.toThrow('took more than');
  vi.useRealTimers();
  expect(await unitOfWork.run(async () => 'next')).toBe('next');
  expect(await database.prisma.user.count()).toBe(0);
});
