import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { artifactFramePath, registerArtifactFrame } from './artifact-frame';
import { registerDoor } from './register-door';

async function get(path: string, headers: Record<string, string> = {}) {
  const app = Fastify();
  registerDoor(app, { allowedHosts: [] });
  registerArtifactFrame(app);
  app.get('/', () => 'page');
  const answer = await app.inject({ url: path, headers: { host: '127.0.0.1:3000', ...headers } });
  await app.close();
  return answer;
}

const directives = (policy: unknown): Map<string, string> =>
  new Map(
    String(policy)
      .split('; ')
      .map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]),
  );

describe('the frame of artifacts', () => {
  it('has an opaque origin, scripts of its own text only, and no way to load or call anything', async () => {
    const policy = directives((await get(artifactFramePath)).headers['content-security-policy']);
    expect(policy.get('sandbox')).toBe('allow-scripts');
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('frame-ancestors')).toBe("'self'");
    for (const [name, sources] of policy) {
      if (name === 'sandbox' || name === 'frame-ancestors') continue;
      expect(sources, name).toMatch(/^(?:'none'|(?:'unsafe-inline'|'unsafe-eval'|data:|blob:| )+)$/);
    }
  });

  it('is the only document that a page of ours may frame', async () => {
    const policy = directives((await get('/')).headers['content-security-policy']);
    expect(policy.get('frame-src')).toBe(`127.0.0.1:3000${artifactFramePath}`);
  });

  it('is not opened by itself from elsewhere, nor by what runs in it', async () => {
    const frame = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect((await get(artifactFramePath, frame)).statusCode).toBe(403);
    expect((await get(artifactFramePath, { ...frame, 'sec-fetch-dest': 'document' })).statusCode).toBe(403);
    expect((await get(artifactFramePath, { ...frame, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
  });
});
