import { expect, it } from 'vitest';
import { contentSecurityPolicy, inlineScriptHashes } from './security-headers';

it('lets the inline scripts of our own document run, by their hashes, and no others', () => {
  const hashes = inlineScriptHashes('<head><script>go()</script><script src="/a.js"></script></head>');
  // printf 'go()' | openssl dgst -sha256 -binary | base64
  expect(hashes).toEqual(['sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw=']);
  const policy = contentSecurityPolicy({ name: 'localhost', port: 3000, isLoopback: true }, hashes);
  expect(policy).toContain("script-src 'self' 'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw=';");
  expect(policy).not.toContain("script-src 'self' 'unsafe");
});
