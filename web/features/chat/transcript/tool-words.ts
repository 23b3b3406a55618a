/** Tool calls in words: what is being done to what. Pure. */
import type { CallView } from '../stream/items';

interface ToolWords {
  /** While it runs, and when it is done. */
  doing: string;
  done: string;
  /** The argument that names the object, if any. */
  object?: string;
  /** What it is done to where that argument is missing. */
  otherwise?: string;
}

const known: Record<string, ToolWords> = {
  read_file: { doing: 'Reading', done: 'Read', object: 'path', otherwise: 'a file' },
  write_file: { doing: 'Writing', done: 'Wrote', object: 'path', otherwise: 'a file' },
  list_files: { doing: 'Listing files in', done: 'Listed files in', object: 'path', otherwise: 'the workspace' },
  search_files: { doing: 'Searching files for', done: 'Searched files for', object: 'query' },
  web_fetch: { doing: 'Fetching', done: 'Fetched', object: 'url', otherwise: 'a page' },
  run_command: { doing: 'Running', done: 'Ran', object: 'command', otherwise: 'a command' },
  content_publish: { doing: 'Publishing', done: 'Published', object: 'path', otherwise: 'a file' },
  share_file: { doing: 'Sharing', done: 'Shared', object: 'source', otherwise: 'a file' },
  image_view: { doing: 'Looking at', done: 'Looked at', object: 'path', otherwise: 'an image' },
  current_time: { doing: 'Checking the time', done: 'Checked the time' },
  scratchpad: { doing: 'Using the scratchpad', done: 'Used the scratchpad', object: 'section' },
  'scratchpad write': { doing: 'Writing down', done: 'Wrote down', object: 'section' },
  'scratchpad append': { doing: 'Adding to', done: 'Added to', object: 'section' },
  'scratchpad read': { doing: 'Looking up', done: 'Looked up', object: 'section' },
  'scratchpad list': { doing: 'Looking through the scratchpad', done: 'Looked through the scratchpad' },
  'scratchpad remove': { doing: 'Removing the note', done: 'Removed the note', object: 'section' },
  todo: { doing: 'Changing the plan', done: 'Changed the plan' },
  'todo view': { doing: 'Looking at the plan', done: 'Looked at the plan' },
  spawn_agent: { doing: 'Working with a subagent on', done: 'Had a subagent work on', object: 'task' },
  protocol: { doing: 'Following a protocol', done: 'Followed a protocol' },
  'protocol list': { doing: 'Looking at the protocols', done: 'Looked at the protocols' },
  'protocol start': { doing: 'Starting the protocol', done: 'Started the protocol', object: 'protocol' },
  'protocol finish': { doing: 'Finishing the protocol', done: 'Finished the protocol' },
  'protocol cancel': { doing: 'Giving up the protocol', done: 'Gave up the protocol' },
  'protocol fail': { doing: 'Ending the protocol as failed', done: 'Ended the protocol as failed' },
  'todo set': { doing: 'Making a plan', done: 'Made a plan' },
};

/** Longest object that is shown in a row, in characters; the card shows it whole. */
const MAX_OBJECT_CHARS = 120;

export interface CallWords {
  verb: string;
  object: string | null;
}

/** `isDone` chooses the tense: what failed or was not allowed was never done. Unknown tools are called by their own name. */
export function wordsForCall(name: string, args: unknown, isDone: boolean): CallWords {
  const words = known[`${name} ${actionOf(args)}`] ??
    known[name] ?? {
      doing: `Using ${humanName(name)}`,
      done: `Used ${humanName(name)}`,
    };
  const verb = isDone ? words.done : words.doing;
  const object = objectOf(words.object, args);
  return { verb: object === null && words.otherwise !== undefined ? `${verb} ${words.otherwise}` : verb, object };
}

/** What an approval asks, as a question. */
export function questionForCall(name: string): string {
  const questions: Record<string, string> = {
    run_command: 'Run this command?',
    write_file: 'Write this file?',
    web_fetch: 'Fetch this page?',
  };
  return questions[name] ?? `Use ${humanName(name)}?`;
}

/** How far a call is. What has not begun, and what failed or was not allowed, is neither running nor done: nobody may read that it "ran". */
export function stateOfCall({ result, live }: Pick<CallView, 'result' | 'live'>) {
  const status = result?.metadata.toolStatus ?? live?.status ?? (result === null ? 'running' : 'done');
  return { status, isRunning: status === 'running' && live !== null, isDone: status === 'done' };
}

export const humanName = (name: string): string => name.replaceAll('_', ' ');

/** Tools that do several things name the one in `action`. */
function actionOf(args: unknown): string {
  const action = typeof args === 'object' && args !== null ? (args as Record<string, unknown>).action : null;
  return typeof action === 'string' ? action : '';
}

function objectOf(key: string | undefined, args: unknown): string | null {
  if (typeof args !== 'object' || args === null) return null;
  const record = args as Record<string, unknown>;
  const value = key === undefined ? undefined : record[key];
  if (typeof value === 'string' && value.trim() !== '' && value !== '.') {
    const line = value.replace(/\s+/g, ' ').trim();
    return line.length > MAX_OBJECT_CHARS ? `${line.slice(0, MAX_OBJECT_CHARS - 1)}…` : line;
  }
  return null;
}
