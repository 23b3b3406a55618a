/** The tools that every Navi has. Composition only. */

import type { GuardedFetch } from '../../../lib/web/guarded-fetch';
import type { SessionFolder } from '../../files/session-folder';
import type { Workspace } from '../../files/workspace/workspace';
import type { KvStore } from '../../kv/store';
import { createCurrentTimeTool } from './current-time';
import type { FilePlaces } from './file-places';
import { createFileTools } from './file-tools';
import { createRunCommandTool } from './run-command/run-command-tool';
import { createScratchpadTool } from './scratchpad';
import type { Tool } from './types';
import { createWebFetchTool } from './web-fetch/web-fetch-tool';

export interface DefaultToolsDependencies {
  workspace: Workspace;
  sessionFolder: SessionFolder;
  places: FilePlaces;
  kv: KvStore;
  /** `createGuardedFetch()`; the caller closes it. */
  web: GuardedFetch;
  settings?: {
    /** IANA zone of `current_time` when the model names none; default: the server's. */
    timeZone?: string;
  };
}

/** In the order in which models see them. `run_command` is among them and off by default: see `ToolSelection`. */
export function createDefaultTools(dependencies: DefaultToolsDependencies): Tool[] {
  const { kv, web, settings = {} } = dependencies;
  return [
    createCurrentTimeTool(settings),
    createScratchpadTool({ kv }),
    ...createFileTools(dependencies),
    createWebFetchTool({ web }),
    createRunCommandTool(dependencies),
  ];
}
