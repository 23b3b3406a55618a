/** Tells secrets from what only looks like them. Pure. */

/** What people write where a secret would stand, and what code reads it from. */
const PLACEHOLDER =
  /^(?:[x*•.#_-]{3,}|null|none|undefined|true|false|string|number|boolean|required|optional|hidden|redacted|masked|omitted)\b|^[$%@&{[(<]|\.\.\.|…|\*\*\*|•••|xxxx|your[_-]|[_-]here$|^my[_-]?(?:password|passwd|secret|token|key)|^(?:pass(?:word|wd|phrase)?|secret|token)[_-]?\d{0,3}$|example|placeholder|change[_-]?me|redacted|dummy|(?:process\.)?env[.[]|environ|getenv|config[.[]|settings?[.[]|secrets[.[]|[(]|\$\{|\{\{/i;

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || new Set(value).size < 4 || isOtherName(value);
}

/** `password=user_password`: code that hands a variable on. */
function isOtherName(value: string): boolean {
  return (
    /^[A-Za-z_$][A-Za-z_$.]*[)\]};]*$/.test(value) && /pass(?:word|wd|phrase)|secret|token|credential/i.test(value)
  );
}

/** Bits per character from which a text of mixed characters is no word and no name. */
const MIN_ENTROPY_BITS = 3;

/** Letters and digits mixed without a pattern, as machines make them. */
export function looksRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  // Words with a number between hyphens, versions, dates, file names.
  if (/^[a-z]+(?:[-_.][a-z]+)*[-_.]?v?\d{0,4}(?:\.\d+)*$/i.test(value) && !/[a-z]\d|\d[a-z]/.test(value.slice(0, -4))) {
    return false;
  }
  return entropyBits(value) >= MIN_ENTROPY_BITS;
}

/** Shannon entropy of the characters, in bits per character. */
function entropyBits(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** Lengths and beginnings that the large issuers give out: Visa, Mastercard, Amex, Discover, JCB. */
const ISSUERS =
  /^(?:4\d{15}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14})$/;

/** A number of an issuer's shape with a right check digit, written in one piece or in the usual groups. */
export function isCardNumber(written: string): boolean {
  if (!/^(?:\d+|\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{5})$/.test(written)) return false;
  const digits = written.replace(/[ -]/g, '');
  return ISSUERS.test(digits) && new Set(digits).size > 1 && hasLuhnDigit(digits);
}

function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
