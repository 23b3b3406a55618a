import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrate, estimatePromptTokens, fitLine, MAX_OBSERVATIONS, observationsWith, observe } from './calibration';

const from = (tokensPerChar: number, overheadTokens: number, sizes: number[]) =>
  sizes.map((chars) => ({ chars, tokens: Math.round(overheadTokens + chars * tokensPerChar) }));

describe('calibration', () => {
  it('falls back to chars / 1.8 until two sizes are 1.25 times apart', () => {
    expect(calibrate([]).source).toBe('estimated');
    expect(calibrate(from(0.3, 500, [1000])).source).toBe('estimated');
    expect(calibrate(from(0.3, 500, [1000, 1240])).source).toBe('estimated');
    expect(calibrate(from(0.3, 500, [1000, 1250])).source).toBe('calibrated');
    expect(estimatePromptTokens(1800, calibrate([]))).toBe(1000);
  });

  it('a profile with heavy tools does not fill the window of another profile of the same model', () => {
    const heavy = { fingerprint: 'ninety', tokens: 29_000 };
    const light = { fingerprint: 'three', tokens: 500 };
    const seen = from(0.25, 29_200, [2000, 4000, 8000]).map((one) => ({ ...one, tools: heavy }));
    expect(calibrate(observationsWith(seen, heavy)).overheadTokens).toBeCloseTo(29_200, -1);
    expect(calibrate(observationsWith(seen, light)).overheadTokens).toBeCloseTo(700, -1);
    const own = from(0.25, 600, [2000, 4000]).map((one) => ({ ...one, tools: light }));
    expect(calibrate(observationsWith([...seen, ...own], light)).overheadTokens).toBeCloseTo(600, -1);
    // What was observed before tools were told apart stays of use.
    expect(observationsWith(from(0.25, 300, [1000, 2000]), light)).toHaveLength(2);
  });

  it('accepts plain English, which a lower bound of 0.25 tokens per character refused', () => {
    const line = fitLine(from(0.215, 0, [5000, 20_000]));
    expect(line?.tokensPerChar).toBeCloseTo(0.215, 3);
  });

  it('refuses slopes that no tokenizer has', () => {
    expect(fitLine(from(0.05, 3000, [5000, 20_000]))).toBeNull();
    expect(fitLine(from(2.5, 0, [5000, 20_000]))).toBeNull();
    // A prompt that was cut by the server: more characters, fewer tokens.
    expect(
      fitLine([
        { chars: 10_000, tokens: 4000 },
        { chars: 30_000, tokens: 4100 },
      ]),
    ).toBeNull();
  });

  it('runs through zero where the fit would make an overhead below it', () => {
    const line = fitLine([
      { chars: 1000, tokens: 250 },
      { chars: 2000, tokens: 520 },
      { chars: 4000, tokens: 1100 },
    ]);
    expect(line?.overheadTokens).toBe(0);
    expect(line?.tokensPerChar).toBeGreaterThan(0.25);
  });

  it('keeps the newest eight observations and learns nothing from images, cuts and empty counts', () => {
    let observations = observe([], { chars: 1, tokens: 1, images: 0, isTruncated: false });
    for (let size = 2; size <= 12; size++) {
      observations = observe(observations, { chars: size, tokens: size, images: 0, isTruncated: false });
    }
    expect(observations).toHaveLength(MAX_OBSERVATIONS);
    expect(observations[0]?.chars).toBe(5);
    expect(observe(observations, { chars: 99, tokens: 99, images: 1, isTruncated: false })).toBe(observations);
    expect(observe(observations, { chars: 99, tokens: 99, images: 0, isTruncated: true })).toBe(observations);
    expect(observe(observations, { chars: 99, tokens: 0, images: 0, isTruncated: false })).toBe(observations);
  });

  it('recovers any plausible line from exact observations', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.11, max: 1.9, noNaN: true }),
        fc.integer({ min: 0, max: 30_000 }),
        fc.uniqueArray(fc.integer({ min: 4000, max: 400_000 }), { minLength: 2, maxLength: 8 }),
        (slope, overhead, sizes) => {
          fc.pre(Math.max(...sizes) >= Math.min(...sizes) * 1.25);
          const observations = sizes.map((chars) => ({ chars, tokens: overhead + chars * slope }));
          const estimate = estimatePromptTokens(50_000, calibrate(observations));
          expect(Math.abs(estimate - (overhead + 50_000 * slope))).toBeLessThan(2);
        },
      ),
    );
  });
});
