/**
 * Which built file a module of the first load goes into, so that each of the two pages asks for three or four files and not
 * for twenty: the number of requests costs more than their bytes. What a page loads later keeps files of its own.
 */
import { sep } from 'node:path';

/** What the bundler says of a module; the part that is needed here. */
interface ModuleGraph {
  getModuleInfo(id: string): { importers: readonly string[]; dynamicImporters: readonly string[] } | null;
}

const CLIENT = '/web/main.tsx';
const SHARE = '/web/share.tsx';

/** Which of the two pages come to a module: at once, or (`isLaterToo`) also by something that they load when it is needed. */
function pagesOf(moduleId: string, graph: ModuleGraph, isLaterToo: boolean): string[] {
  const seen = new Set<string>([moduleId]);
  // A set visits what joins it on the way.
  for (const id of seen) {
    const module = graph.getModuleInfo(id);
    for (const importer of module?.importers ?? []) seen.add(importer);
    if (isLaterToo) for (const importer of module?.dynamicImporters ?? []) seen.add(importer);
  }
  const paths = [...seen].map((id) => id.replaceAll(sep, '/'));
  return [CLIENT, SHARE].filter((page) => paths.some((path) => path.endsWith(page)));
}

/** The file that a module of the first load belongs to; none for the two documents themselves. */
function fileOf(moduleId: string, graph: ModuleGraph): string | null {
  const atOnce = pagesOf(moduleId, graph, false);
  if (atOnce.length === 0) return null;
  const isForBoth = pagesOf(moduleId, graph, true).length === 2;
  if (isForBoth && atOnce.includes(SHARE)) return 'shared';
  // Apart from what only the client has: a share loads it later, and would load and run all of the client with it.
  if (isForBoth) return 'client-first';
  return atOnce.includes(SHARE) ? 'share' : 'client';
}

/** A group takes along what its modules import, so what is for both comes first. */
export const pageChunks = ['shared', 'client-first', 'share', 'client'].map((file, at, { length }) => ({
  name: (moduleId: string, graph: ModuleGraph) => (fileOf(moduleId, graph) === file ? file : null),
  debugName: file,
  priority: length - at,
  tags: ['$initial' as const],
}));
