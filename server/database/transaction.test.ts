import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { createUnitOfWork } from './transaction';

// What must hold with several connections at once: real PostgreSQL.
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('postgres');
});
afterAll(() => database.close());

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
