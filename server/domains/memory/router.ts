import { procedure, router } from '../../trpc/init';
import { readMemoryInput, searchMemoryInput } from './schema';

export const memoryRouter = router({
  search: procedure.input(searchMemoryInput).query(({ ctx, input }) => ctx.services.memory.search(ctx.person, input)),
  read: procedure.input(readMemoryInput).query(({ ctx, input }) => ctx.services.memory.read(ctx.person, input)),
});
