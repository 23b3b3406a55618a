import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSecrets } from './find-secrets';

/** Put together here, so that no scanner takes this file for a leak. */
const random = 'q7Xb2Lk9Vt4Rm8Zp1Wc6Ny3Hs5Jd0Fg2Ga7Ke9Tb';
const upper = 'Q7XB2LK5VT4RM3ZP';

describe('likely secrets', () => {
  it.each<[string, string, string]>([
    ['AWS access key', `use AKI${'A'}${upper} for it`, `AKIA${upper}`],
    ['AWS access key', `("ASI${'A'}${upper}")`, `ASIA${upper}`],
    ['GitHub token', `ghp${'_'}${random.slice(0, 36)}`, random],
    ['GitHub token', `github${'_pat_'}11ABCDE0Y0${random}`, random],
    ['GitLab token', `glpat${'-'}${random.slice(0, 20)}`, random.slice(0, 20)],
    ['OpenAI key', `OPENAI_API_KEY=sk${'-proj-'}${random}`, random],
    ['OpenAI key', `the key is sk${'-'}${random}.`, random],
    ['Anthropic key', `sk${'-ant-'}api03-${random}`, random],
    ['Slack token', `xoxb${'-'}1234567890-${random}`, random],
    [
      'Webhook address',
      `https://hooks.slack.com/services/T01ABCDEF/B01ABCDEF/${random.slice(0, 24)}`,
      random.slice(0, 24),
    ],
    ['Google API key', `key=AIz${'a'}Sy${random.slice(0, 33)}`, random.slice(0, 33)],
    ['Stripe key', `sk${'_live_'}${random.slice(0, 24)}`, random.slice(0, 24)],
    ['Stripe key', `rk${'_test_'}${random.slice(0, 24)}`, random.slice(0, 24)],
    ['npm token', `//registry.example.org/:_authToken=npm${'_'}${random.slice(0, 36)}`, random.slice(0, 36)],
    ['Hugging Face token', `hf${'_'}${random.slice(0, 34)}`, random.slice(0, 34)],
    ['SendGrid key', `SG${'.'}${random.slice(0, 22)}.${random}abc`, random],
    ['Telegram bot token', `110201543:AA${random.slice(0, 33)}`, random.slice(0, 33)],
    ['Signed token (JWT)', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${random}`, random],
    [
      'Private key',
      '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----',
      'MIIEowIBAAKCAQEA',
    ],
    ['Private key', '"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBg\\n', 'MIIEvQIBADANBg'],
    ['Private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk', 'b3BlbnNzaC1rZXk'],
    ['Password in an address', 'postgres://navi:hunter2x@db.internal:5432/navi', 'hunter2x'],
    ['Password in an address', 'https://me:p%40ssw0rd@git.example.org/x.git', 'p%40ssw0rd'],
    ['Login in a header', `Authorization: Bearer ${random}`, random],
    ['Login in a header', 'curl -H "authorization: Basic bmF2aTpodW50ZXIy"', 'bmF2aTpodW50ZXIy'],
    ['Password', 'DB_PASSWORD=letmein', 'letmein'],
    ['Password', 'password: hunter2', 'hunter2'],
    ['Password', '{"password": "correct horse"}', 'correct'],
    ['Password', "$config['db_passwd'] = 'tr0ub4dor';", 'tr0ub4dor'],
    ['Password', 'Passwort: Sommer2024!', 'Sommer2024!'],
    ['Password', 'пароль: kotik2024', 'kotik2024'],
    ['Secret or token', `aws_secret_access_key = ${random}/+`, random],
    ['Secret or token', `"client_secret":"${random.slice(0, 24)}"`, random.slice(0, 24)],
    ['Secret or token', `https://api.example.org/v1?access_token=${random.slice(0, 20)}&page=2`, random.slice(0, 20)],
    ['Secret or token', `SECRET_KEY_BASE: ${random}`, random],
    ['Secret or token', 'X-Auth-Token: 550e8400-e29b-41d4-a716-446655440000', '550e8400-e29b-41d4-a716-446655440000'],
    ['Card number', 'pay with 4111 1111 1111 1111, please', '1111 1111 1111'],
    ['Card number', '5555555555554444', '5555555555554444'],
    ['Card number', '3782-822463-10005', '822463'],
  ])('%s in %s', (kind, text, secret) => {
    const found = findSecrets(text, 10);
    expect(found.map((one) => one.kind)).toEqual([kind]);
    expect(found[0]?.excerpt).not.toContain(secret);
    expect(found[0]?.excerpt).toContain('••••••');
  });

  it.each([
    // Prose and code that speak of secrets without one.
    'Choose a password: it needs eight characters.',
    'The password: required.',
    'Password must be at least 12 characters. Token: a piece of text.',
    'const password = userInput;',
    'login(user=user, password=password)',
    'login({ password: form.password, token: session.token })',
    'password: process.env.DB_PASSWORD',
    'password = os.environ["DB_PASSWORD"]',
    ['password=$', '{DB_PASSWORD}'].join(''),
    'password=$DB_PASSWORD',
    'token: <your-token-here>',
    'api_key = "YOUR_API_KEY"',
    'api_key: "your-api-key-goes-here-1234"',
    'password: ********',
    'password=xxxxxxxx',
    'password: changeme',
    '{"password": "string", "token": "string"}',
    'interface Login { password: string; token: string | null }',
    'max_tokens: 4096, "tokens": 1204, tokenizer: Qwen2Tokenizer, token_count=18240',
    'postgres://user:password@localhost:5432/db',
    'http://localhost:3000/path:8080@example',
    'git@github.com:owner/name.git',
    'mailto:someone@example.org',
    'Authorization: Bearer <token>',
    'Authorization: Bearer $TOKEN',
    'authorization: basic authentication',
    // Names that begin like keys.
    'task-list-of-a-very-long-and-winding-project',
    'sk-learn-classification-of-iris-flowers',
    'class="sk-circle-fade-dot sk-folding-cube-and-more"',
    'pk_test_TYooMQauvdEDq54NiTphI7jx is publishable',
    `AKIAIOSFODNN7${'EXAMPLE'}`,
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqh\n-----END PUBLIC KEY-----',
    '-----BEGIN CERTIFICATE-----',
    'eyJhbGciOiJIUzI1NiJ9 is only a header',
    // Numbers that are none of a card.
    'order 4111 1111 1111 1112',
    '1761497285123, 1761497285124',
    'commit 5f2b8d9c0e1a4b7c8d9e0f1a2b3c4d5e6f7a8b9c',
    'id 550e8400-e29b-41d4-a716-446655440000',
    '0000 0000 0000 0000',
    '4.1111111111111111',
    '+49 4111 111 111 1111',
    'ISBN 978-3-16-148410-0',
    // Prices and dollars.
    '$148+ → $19 and $5 and $10',
    '',
  ])('nothing in %j', (text) => {
    expect(findSecrets(text, 10)).toEqual([]);
  });

  it('shows the words around and masks every secret in them, not only the one it tells of', () => {
    const [first, second] = findSecrets('db password=hunter2 and token=q7Xb2Lk9Vt4Rm8Zp1Wc6 end', 10);
    expect(first?.excerpt).toBe('db password=•••••• and token=q7Xb••••••…');
    expect(second?.excerpt).toBe('db password=•••••• and token=q7Xb•••••• end');
  });

  it('tells each different secret of a text once, and no more than were asked for', () => {
    const text = 'password=hunter2 password=hunter2 password=hunter3';
    expect(findSecrets(text, 10)).toHaveLength(2);
    expect(findSecrets(text, 1)).toHaveLength(1);
  });

  it('never shows a secret whole, whatever stands around it (property)', () => {
    const secrets = [`sk${'-proj-'}${random}`, `ghp${'_'}${random.slice(0, 36)}`, 'password=hunter2x'];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...secrets), fc.constantFrom(' ', '\n', '"', '=', ':', 'a')), {
          maxLength: 12,
        }),
        (parts) => {
          for (const { excerpt } of findSecrets(parts.join(' '), 50)) {
            expect(excerpt).not.toContain(random.slice(4, 20));
            expect(excerpt).not.toContain('hunter2x');
          }
        },
      ),
    );
  });

  it('reads texts that are made to be slow in linear time', () => {
    const bombs = [
      'a',
      ' ',
      '4',
      '4111 ',
      'password',
      'password=',
      'http://',
      'http://a:',
      'eyJ',
      'eyJaaaaaaaa.',
      '-',
      'sk-',
      'token: ',
      '-----BEGIN ',
      'password=hunter2 ',
      'Authorization: Bearer ',
    ];
    const steps = (text: string) => {
      const start = process.cpuUsage();
      findSecrets(text, 10);
      const { user } = process.cpuUsage(start);
      return user;
    };
    for (const bomb of bombs) {
      // Ten times the text may take a little more than ten times as long, and is far from a hundred times.
      const short = Math.max(20_000, steps(bomb.repeat(Math.ceil(20_000 / bomb.length))));
      expect(steps(bomb.repeat(Math.ceil(200_000 / bomb.length))) / short, bomb).toBeLessThan(60);
    }
  });
});
