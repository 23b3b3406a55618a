import { expect, test } from 'vitest';
import { describeEachEngine } from './testing/database';

describeEachEngine('the Prisma client', (getDatabase) => {
  test('stores and reads through the migrated schema', async () => {
    const { prisma } = getDatabase();
    await prisma.user.create({ data: { id: 'anonymous' } });
    expect(await prisma.user.findMany()).toMatchObject([{ id: 'anonymous', name: null }]);
  });

  test('rolls back a transaction that throws', async () => {
    const { prisma } = getDatabase();
    const attempt = prisma.$transaction(async (tx) => {
      await tx.user.create({ data: { id: 'nobody' } });
      throw new Error('on purpose');
    });
    await expect(attempt).rejects.toThrow('on purpose');
    expect(await prisma.user.findUnique({ where: { id: 'nobody' } })).toBeNull();
  });

  test('reset empties every table', async () => {
    const database = getDatabase();
    await database.prisma.user.create({ data: { id: 'someone' } });
    await database.reset();
    expect(await database.prisma.user.count()).toBe(0);
  });
});
