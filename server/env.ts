/** The environment, read and checked once at start. Nothing else reads `process.env`. */
import { delimiter, isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import { parseListedHost } from './lib/host';

const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1');
const positive = z.coerce
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .positive('must be positive');
const fraction = z.coerce
  .number({ error: 'must be a number' })
  .min(0.05, 'must be between 0.05 and 1')
  .max(1, 'must be between 0.05 and 1');
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((url) => url.replace(/\/+$/, ''));

const envSchema = z.object({
  PORT: z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(0, 'must be between 0 and 65535')
    .max(65_535, 'must be between 0 and 65535')
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  NAVI_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((path) => resolve(path)),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgresql://')
    .optional(),
  /** Accounts are not built yet. Whoever asks for them must not get a Navi that lets everybody in. */
  NAVI_AUTH_ENABLED: flag.default(false).refine((isOn) => !isOn, 'cannot be on: this version has no accounts yet'),
  /** Listening beyond loopback without accounts is refused unless this says that it is meant. */
  NAVI_ALLOW_OPEN_ACCESS: flag.default(false),
  NAVI_ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((host) => host.trim().toLowerCase())
        .filter((host) => host !== ''),
    )
    .superRefine((hosts, context) => {
      const wrong = hosts.find((host) => parseListedHost(host) === null);
      if (wrong === undefined) return;
      const message = `has ${JSON.stringify(wrong)}, which is no host: names stand bare, e.g. navi.example.com or navi.example.com:8443`;
      context.addIssue({ code: 'custom', message });
    }),
  /** Looked for on its default port when not set. */
  OLLAMA_BASE_URL: httpUrl.optional(),
  OPENAI_BASE_URL: httpUrl.optional(),
  OPENAI_API_KEY: z.string().min(1).optional(),
  NAVI_OLLAMA_NUM_CTX: positive.default(8192),
  /** Window in tokens of an OpenAI-compatible endpoint, which does not tell it. */
  NAVI_OPENAI_CONTEXT_WINDOW: positive.default(32_768),
  NAVI_MODEL: z
    .string()
    .regex(
      /^(ollama|openai|demo)\/.+$/,
      'must look like connection/model, e.g. ollama/qwen3; connections are ollama, openai, demo',
    )
    .optional(),
  NAVI_LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('warn'),
  /** Lets the agent run shell commands in the workspace; each call still asks. */
  NAVI_RUN_COMMAND_ENABLED: flag.default(false),
  /** Most steps of one turn. */
  NAVI_MAX_STEPS: positive.default(50),
  /** Milliseconds until the first byte of a model's answer; local models may think for minutes. */
  NAVI_MODEL_FIRST_BYTE_TIMEOUT_MS: positive.default(600_000),
  /** Milliseconds of silence in the middle of an answer. */
  NAVI_MODEL_IDLE_TIMEOUT_MS: positive.default(120_000),
  /**
   * Milliseconds that a run's lease lasts without a heartbeat; then any worker may settle the run. Long enough that a pause of the
   * machine is no death, short enough that nobody waits long after a real one.
   */
  NAVI_RUN_LEASE_MS: positive.default(15_000),
  NAVI_SESSION_MESSAGES_WINDOW: positive.default(2000),
  /** Largest upload, in megabytes of 1024². */
  NAVI_SESSION_FILES_MAX_SIZE_MB: positive.default(200),
  /** Largest file that the agent may hand over (`share_file`), in megabytes. */
  NAVI_SHARE_FILE_MAX_SIZE_MB: positive.default(1024),
  /** Folders beside the workspace that it may hand files over from; absolute, separated as in PATH. */
  NAVI_SHARE_FILE_ROOTS: z
    .string()
    .default('')
    .transform((list) => list.split(delimiter).filter((root) => root !== ''))
    .refine((roots) => roots.every((root) => isAbsolute(root)), 'must hold absolute paths'),
  /** Most tokens of one message that the model is shown; 0: a sixth of its window. */
  NAVI_CONTEXT_MESSAGE_TOKEN_BUDGET: z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(0, 'must not be negative')
    .default(0),
  NAVI_OUTPUT_RESERVE_TOKENS: positive.default(2048),
  NAVI_CONTEXT_COMPRESSION_ENABLED: flag.default(true),
  /** Share of the window from which a context is compressed, and that what stays should fit. */
  NAVI_CONTEXT_COMPRESSION_THRESHOLD: fraction.default(0.9),
  NAVI_CONTEXT_COMPRESSION_TARGET: fraction.default(0.65),
  /** Newest turns that stay word for word. */
  NAVI_CONTEXT_KEEP_RECENT: positive.default(4),
  NAVI_CONTEXT_SUMMARY_TEMPERATURE: z.coerce
    .number({ error: 'must be a number' })
    .min(0, 'must be between 0 and 2')
    .max(2, 'must be between 0 and 2')
    .default(0.3),
  NAVI_CONTEXT_SUMMARY_MAX_TOKENS: positive.default(6000),
  /** Tokens of an image whose size cannot be read. */
  NAVI_CONTEXT_IMAGE_TOKENS: positive.default(1024),
  /** What left a context is indexed word for word, and can be searched. */
  NAVI_MEMORY_SEARCH_ENABLED: flag.default(true),
  /** Excerpts of it come back by themselves when a new message speaks of them. */
  NAVI_MEMORY_RECALL_ENABLED: flag.default(true),
  NAVI_MEMORY_RECALL_K: positive.default(2),
  /** Measured on LoCoMo (`defaultMinSimilarity` of the memory engine). */
  NAVI_MEMORY_RECALL_MIN_SIMILARITY: fraction.default(0.25),
});

export type Env = z.infer<typeof envSchema>;

export type EnvResult = { ok: true; env: Env } | { ok: false; problems: string[] };

/** Parses the environment. Each problem is one readable line that names the variable. Empty strings count as unset. */
export function readEnv(source: Record<string, string | undefined>): EnvResult {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = envSchema.safeParse(given);
  if (!parsed.success) {
    return {
      ok: false,
      problems: parsed.error.issues.map((issue) => {
        const name = String(issue.path[0]);
        return `${name} ${issue.message} (got ${JSON.stringify(given[name])})`;
      }),
    };
  }
  return { ok: true, env: parsed.data };
}
