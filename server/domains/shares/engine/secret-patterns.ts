/**
 * What secrets look like. Pure data with checks. An own list on purpose: see docs/decisions/0041-shares.md. Each pattern
 * begins with something literal and has bounded repetitions only, so that a text of any kind is read in linear time.
 */
import { isCardNumber, isPlaceholder, looksRandom } from './secret-checks';

export interface SecretPattern {
  kind: string;
  /** Global; its group `secret`, or else the whole match, is what must not be seen. */
  pattern: RegExp;
  /** Whether a match is one, from the secret and the groups. */
  isSecret?(secret: string, groups: Readonly<Record<string, string | undefined>>): boolean;
  /** Where it ends when the pattern only finds its beginning. */
  endOf?(text: string, from: number): number;
}

/** Not followed by more of the same word: a longer run is something else. */
const END = '(?![A-Za-z0-9_-])';
const START = '(?<![A-Za-z0-9_-])';
const token = (kind: string, body: string, isSecret: SecretPattern['isSecret'] = notExample): SecretPattern => ({
  kind,
  pattern: new RegExp(`${START}${body}${END}`, 'g'),
  isSecret,
});

function notExample(secret: string): boolean {
  return !/example|xxxx|\*\*\*/i.test(secret);
}

const looksReal = (secret: string): boolean => looksRandom(secret) && notExample(secret);

/** Names behind which a person puts a password: anything but a placeholder counts. */
const PASSWORD_NAMES = 'pass(?:word|wd|phrase)|pwd|kennwort|passwort|contraseña|пароль|密码|パスワード';
/** Names behind which only something random counts: `token: string` is a type. */
const KEY_NAMES =
  'secret[_-]?access[_-]?key|secret[_-]?key(?:[_-]?base)?|client[_-]?secret|api[_-]?key|access[_-]?key|account[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|(?:access|auth|refresh|bearer|session|id)[_-]?token|credentials?|secrets?|tokens?';
const assignment = (names: string): RegExp =>
  new RegExp(
    `(?<name>${names})(?:[_-]?(?:prod|dev|test|live|staging|[0-9]{1,3}))?(?<close>["'\`]?\\]?)(?<before>\\s{0,3})(?<sign>=>|:=|=|:|：)(?<after>\\s{0,3})(?<quote>["'\`]?)(?<secret>[^\\s"'\`,;<>|]{6,300})`,
    'gi',
  );

/** The specific before the general: of two that overlap the first one names it. */
export const secretPatterns: readonly SecretPattern[] = [
  {
    kind: 'Private key',
    pattern: /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?<secret>[\s\\])/g,
    endOf(text, from) {
      const end = text.indexOf('-----END', from);
      return end === -1 || end > from + 20_000 ? Math.min(text.length, from + 4_000) : end;
    },
  },
  token('AWS access key', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'),
  token('GitHub token', '(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})'),
  token('GitLab token', 'gl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_-]{20,120}'),
  token('Anthropic key', 'sk-ant-[A-Za-z0-9_-]{20,200}'),
  token('OpenAI key', 'sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,200}', looksReal),
  token('Stripe key', '(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,200}'),
  token('Stripe webhook secret', 'whsec_[0-9A-Za-z+/]{20,100}'),
  token('Slack token', '(?:xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-[0-9]-[A-Za-z0-9-]{20,250})'),
  {
    kind: 'Webhook address',
    pattern:
      /https:\/\/(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks|[a-z0-9-]{1,60}\.webhook\.office\.com\/webhookb2)\/(?<secret>[A-Za-z0-9_@/-]{16,300})/g,
    isSecret: notExample,
  },
  token('Google API key', 'AIza[0-9A-Za-z_-]{35}'),
  token('Google OAuth secret', '(?:GOCSPX-[0-9A-Za-z_-]{28}|ya29\\.[0-9A-Za-z_-]{20,400}|1//0[0-9A-Za-z_-]{30,200})'),
  token('npm token', 'npm_[A-Za-z0-9]{36}'),
  token('PyPI token', 'pypi-AgE[A-Za-z0-9_-]{50,400}'),
  token('Hugging Face token', 'hf_[A-Za-z0-9]{30,60}', looksRandom),
  token('SendGrid key', 'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}'),
  token('Twilio key', 'SK[0-9a-f]{32}'),
  token('Telegram bot token', '[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}'),
  token('DigitalOcean token', 'do[opr]_v1_[a-f0-9]{64}'),
  token('Shopify token', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'),
  token('Signed token (JWT)', 'eyJ[A-Za-z0-9_-]{8,2000}\\.eyJ[A-Za-z0-9_-]{4,8000}\\.[A-Za-z0-9_-]{16,2000}'),
  {
    kind: 'Password in an address',
    pattern: /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:@/?#"'`<>]{0,100}:(?<secret>[^\s@/?#"'`<>]{3,200})@[^\s@"'`<>]/gi,
    isSecret: (secret) => !isPlaceholder(secret) && !/^(?:pass|pw|secret|token|port|\d{1,5})$/i.test(secret),
  },
  {
    kind: 'Login in a header',
    pattern:
      /authorization["'`]?\s{0,3}[:=]\s{0,3}["'`]?(?:bearer|basic|token)\s{1,3}(?<secret>[A-Za-z0-9._~+/=-]{8,2000})/gi,
    isSecret: (secret) => !isPlaceholder(secret) && looksRandom(secret),
  },
  { kind: 'Password', pattern: assignment(PASSWORD_NAMES), isSecret: isPasswordValue },
  {
    kind: 'Secret or token',
    pattern: assignment(KEY_NAMES),
    isSecret: (secret) => secret.length >= 12 && !isPlaceholder(secret) && looksRandom(secret),
  },
  {
    kind: 'Card number',
    pattern: /(?<![0-9A-Za-z_.,-])[2-6]\d{3}[ -]?\d{4,6}[ -]?\d{4,5}[ -]?\d{0,4}(?![0-9A-Za-z_-])/g,
    isSecret: isCardNumber,
  },
];

/** Code and prose have many words after `password:`; a password is what is quoted, glued to a `=`, or no word at all. */
function isPasswordValue(secret: string, groups: Readonly<Record<string, string | undefined>>): boolean {
  if (isPlaceholder(secret)) return false;
  const isQuoted = groups.quote !== '';
  const isGlued = groups.sign === '=' && groups.before === '' && groups.after === '';
  // An identifier, a path through an object, or a word of a sentence.
  const isWord = /^[\p{L}_$][\p{L}_$.]*[.!?)\]}]*$/u.test(secret);
  return isQuoted || isGlued || !isWord;
}
