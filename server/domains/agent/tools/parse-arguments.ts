/**
 * From what a model wrote to the input of a tool. Pure. Small models send numbers as text, null for "not given" and
 * JSON inside a string; what can be understood without guessing is understood, the rest is explained field by field.
 */
import * as z from 'zod';
import type { Tool } from './types';

export type ParsedArguments = { ok: true; input: unknown } | { ok: false; problem: string };

/** Most problems named at once: enough to mend a call, too few to fill a context. */
const MAX_PROBLEMS = 8;

/**
 * Validates the arguments of one call. A problem is text for the model: it names the field and what was expected.
 * @param malformed the raw text when it was no JSON, else null.
 */
export function parseArguments(tool: Tool, given: unknown, malformed: string | null): ParsedArguments {
  if (malformed !== null && malformed.trim() !== '') {
    return {
      ok: false,
      problem: `The arguments of ${tool.name} are not valid JSON: ${shorten(malformed)}\nSend one JSON object.`,
    };
  }
  const unwrapped = unwrap(malformed === null ? given : {});
  if (typeof unwrapped !== 'object' || unwrapped === null || Array.isArray(unwrapped)) {
    return {
      ok: false,
      problem: `The arguments of ${tool.name} must be one JSON object, got ${shorten(JSON.stringify(given))}`,
    };
  }
  const strict = tool.input.safeParse(unwrapped);
  if (strict.success) return { ok: true, input: strict.data };
  const lenient = tool.input.safeParse(withoutNulls(unwrapped));
  if (lenient.success) return { ok: true, input: lenient.data };
  return { ok: false, problem: `Invalid arguments for ${tool.name}:\n${describeIssues(lenient.error)}` };
}

/** No arguments at all are an empty object; an object written as a string is read. */
function unwrap(given: unknown): unknown {
  if (given === undefined || given === null || given === '') return {};
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

function withoutNulls(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}

function describeIssues(error: z.ZodError): string {
  const lines = error.issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const field = issue.path.length === 0 ? '(arguments)' : issue.path.map(String).join('.');
    return `- ${field}: ${issue.message}`;
  });
  const more = error.issues.length - lines.length;
  return more > 0 ? [...lines, `- and ${more} more`].join('\n') : lines.join('\n');
}

function shorten(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

/** A whole number that may also arrive as text ("12"), as small models write it. */
export function wholeNumber(minimum: number, maximum: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value),
    z.int().min(minimum).max(maximum),
  );
}

/** A yes or no that may also arrive as text ("true"). */
export function yesOrNo() {
  return z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean());
}
