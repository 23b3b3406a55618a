import { procedure, router } from '../../trpc/init';
import { kvKeyInput, kvScopeInput, kvSearchInput, kvSetInput } from './schema';

export const kvRouter = router({
  get: procedure.input(kvKeyInput).query(({ ctx, input }) => ctx.services.kv.get(ctx.person, input)),
  set: procedure.input(kvSetInput).mutation(({ ctx, input }) => ctx.services.kv.set(ctx.person, input)),
  getAll: procedure.input(kvScopeInput).query(({ ctx, input }) => ctx.services.kv.getAll(ctx.person, input)),
  remove: procedure.input(kvKeyInput).mutation(({ ctx, input }) => ctx.services.kv.remove(ctx.person, input)),
  clearScope: procedure.input(kvScopeInput).mutation(({ ctx, input }) => ctx.services.kv.clearScope(ctx.person, input)),
  search: procedure.input(kvSearchInput).query(({ ctx, input }) => ctx.services.kv.search(ctx.person, input)),
});
