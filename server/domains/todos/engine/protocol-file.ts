/**
 * Protocols are Markdown files: front matter (`name`, `description`), guidance, and a numbered list whose items are the
 * steps. An item may name its step's id at the end of its first line (`{#check}`); indented lines below it are its details.
 */
import { MAX_STEP_CHARS } from '../schema';

export interface ProtocolStep {
  id: string;
  text: string;
  detail: string;
}

export interface ProtocolFile {
  id: string;
  name: string;
  description: string;
  /** What stands between front matter and steps. */
  guidance: string;
  steps: ProtocolStep[];
}

export type ParsedProtocol = { ok: true; protocol: ProtocolFile } | { ok: false; problem: string };

/** A checklist longer than this is no checklist; it would also crowd out the plan it is spliced into. */
export const MAX_PROTOCOL_STEPS = 40;

/** A name that can be said: letters, digits, `-` and `_`; the file's name without `.md`. */
export function protocolIdOf(fileName: string): string | null {
  return /^([\p{L}\p{N}][\p{L}\p{N}_-]{0,79})\.md$/u.exec(fileName)?.[1] ?? null;
}

const failed = (problem: string): ParsedProtocol => ({ ok: false, problem });

/** Reads one file. A problem is one sentence for its author. */
export function parseProtocol(id: string, source: string): ParsedProtocol {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const head = parseFrontMatter(lines);
  if (head === null) return failed('it does not begin with front matter between two lines of ---');
  const body = lines.slice(head.endLine);
  const firstStep = body.findIndex((line) => stepLine.test(line));
  if (firstStep === -1) return failed('it has no numbered steps');
  const steps = parseSteps(body.slice(firstStep));
  if (steps.length > MAX_PROTOCOL_STEPS)
    return failed(`it has ${steps.length} steps, the most is ${MAX_PROTOCOL_STEPS}`);
  const tooLong = steps.findIndex((step) => step.text.length > MAX_STEP_CHARS);
  if (tooLong !== -1) return failed(`step ${tooLong + 1} is longer than ${MAX_STEP_CHARS} characters`);
  const ids = steps.map((step) => step.id);
  const doubled = ids.find((stepId, index) => ids.indexOf(stepId) !== index);
  if (doubled !== undefined) return failed(`two of its steps have the id ${doubled}`);
  return {
    ok: true,
    protocol: {
      id,
      name: head.values.get('name') ?? id,
      description: head.values.get('description') ?? '',
      guidance: body.slice(0, firstStep).join('\n').trim(),
      steps,
    },
  };
}

/** `key: value` lines; quotes around a value are dropped. */
function parseFrontMatter(lines: readonly string[]): { values: Map<string, string>; endLine: number } | null {
  if (lines[0]?.trim() !== '---') return null;
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === '---');
  if (end === -1) return null;
  const values = new Map<string, string>();
  for (const line of lines.slice(1, end)) {
    const match = /^([A-Za-z][\w-]*):\s*(.*?)\s*$/.exec(line);
    const value = match?.[2]?.replace(/^(["'])(.*)\1$/, '$2') ?? '';
    if (match?.[1] !== undefined && value !== '') values.set(match[1].toLowerCase(), value);
  }
  return { values, endLine: end + 1 };
}

const stepLine = /^\d{1,3}[.)]\s+(\S.*)$/;
const idAtEnd = /\s*\{#([\w-]{1,50})\}\s*$/;

/** Lines after the list that are neither indented nor numbered end the step before them. */
function parseSteps(lines: readonly string[]): ProtocolStep[] {
  const steps: ProtocolStep[] = [];
  let isInStep = false;
  for (const line of lines) {
    const text = stepLine.exec(line)?.[1];
    const last = steps[steps.length - 1];
    if (text !== undefined) {
      const id = idAtEnd.exec(text)?.[1] ?? `${steps.length + 1}`;
      steps.push({ id, text: text.replace(idAtEnd, '').trim(), detail: '' });
      isInStep = true;
    } else if (line.trim() !== '' && !/^\s/.test(line)) isInStep = false;
    else if (isInStep && last !== undefined) last.detail = `${last.detail}\n${line.trim()}`.trim();
  }
  return steps;
}
