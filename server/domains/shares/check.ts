/** Looks through everything that a share would show, newest first, for what looks like a secret. In bounded time. */
import type { Message } from '../messages/schema';
import { findSecrets } from './engine/find-secrets';
import type { SecretFinding, SharedMessage, SharesCheck } from './schema';

interface CheckInput {
  name: string | null;
  /** Displayed messages, newest first. */
  readBefore(beforeSeq: number | null, limit: number): Promise<Message[]>;
  present(message: Message): SharedMessage | null;
  /** The text of a published file; null when the file is gone. */
  readArtifact(fileId: string): Promise<{ text: string; isWhole: boolean } | null>;
  /** Milliseconds. */
  now(): number;
}

const PAGE = 500;
/** A person waits for this. About 100,000 messages of ordinary length are read in it on a small machine. */
const BUDGET_MS = 8_000;
/** More than this nobody goes through; the first ones say enough. */
const MAX_FINDINGS = 200;
const MAX_PER_TEXT = 20;
/** The longest that others wait while texts are read. */
const SLICE_MS = 25;

/** What is looked at is what the share shows, field by field, and the text of the files that it gives: not more and not less. */
export async function checkForSecrets(input: CheckInput): Promise<Omit<SharesCheck, 'isShared'>> {
  const { name, readBefore, present, readArtifact, now } = input;
  const startedAt = now();
  const findings: SecretFinding[] = findingsIn(name ?? '', null, 'name');
  const files = new Set<string>();
  let checkedMessages = 0;
  let uncheckedFiles = 0;
  let sliceStartedAt = startedAt;
  let beforeSeq: number | null = null;
  for (;;) {
    const page = await readBefore(beforeSeq, PAGE);
    sliceStartedAt = now();
    for (const message of page) {
      if (findings.length >= MAX_FINDINGS || now() - startedAt > BUDGET_MS) {
        return { findings: findings.slice(0, MAX_FINDINGS), isComplete: false, checkedMessages, uncheckedFiles };
      }
      const shown = present(message);
      if (shown !== null) findings.push(...findingsOf(shown));
      // The same file may be published again and again: it is one file.
      const fileId = shown?.artifact?.id ?? null;
      if (fileId !== null && !files.has(fileId)) {
        files.add(fileId);
        const content = await readArtifact(fileId);
        if (content?.isWhole === false) uncheckedFiles++;
        findings.push(...findingsIn(content?.text ?? '', message.sequenceNumber, 'artifact'));
      }
      checkedMessages++;
      if (now() - sliceStartedAt > SLICE_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        sliceStartedAt = now();
      }
    }
    beforeSeq = page.at(-1)?.sequenceNumber ?? null;
    if (page.length < PAGE || beforeSeq === null) {
      return { findings, isComplete: true, checkedMessages, uncheckedFiles };
    }
  }
}

/** Every text of a shared message with its place. */
function findingsOf(message: SharedMessage): SecretFinding[] {
  const { sequenceNumber: at } = message;
  const names = [...(message.images ?? []), ...(message.files ?? []), ...(message.artifact ? [message.artifact] : [])];
  return [
    ...findingsIn(message.content, at, message.role === 'tool' ? 'tool-result' : message.isPlan ? 'plan' : 'text'),
    ...findingsIn(message.thinking ?? '', at, 'thinking'),
    ...(message.toolCalls ?? []).flatMap((call) => findingsIn(textOf(call.arguments), at, 'tool-call')),
    ...(message.planSteps ?? []).flatMap((step) => findingsIn(step.text, at, 'plan')),
    ...names.flatMap((file) => findingsIn(file.name, at, 'file-name')),
    ...findingsIn(message.artifact?.title ?? '', at, 'file-name'),
  ];
}

function findingsIn(text: string, sequenceNumber: number | null, place: SecretFinding['place']): SecretFinding[] {
  if (text === '') return [];
  return findSecrets(text, MAX_PER_TEXT).map(({ kind, excerpt }) => ({ kind, sequenceNumber, place, excerpt }));
}

/** As a person reads it: strings unescaped, so that a key in a file that is written is found as in a message. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  if (typeof value !== 'object' || value === null) return value == null ? '' : String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${textOf(inner)}`)
    .join('\n');
}
