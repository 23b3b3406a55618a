import type { PrismaClient } from '../../generated/prisma/client';

export function createUserStore(prisma: PrismaClient) {
  return {
    /** Makes sure that the person's row is there. Two processes may do so at once. */
    async ensure(id: string): Promise<void> {
      await prisma.user.createMany({ data: [{ id }], skipDuplicates: true });
    },
  };
}
