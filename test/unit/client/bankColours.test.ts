/** The colours of the register banks can be read and told apart in VS Code's own themes, by the colour-blind, too. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly contributes: {
    readonly colors: readonly { readonly id: string; readonly defaults: Readonly<Record<string, string>> }[];
    readonly configurationDefaults: Readonly<
      Record<string, Readonly<Record<string, { readonly rules: Readonly<Record<string, unknown>> }>>>
    >;
  };
}

const { contributes } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as Manifest;
const customizations = contributes.configurationDefaults['editor.semanticTokenColorCustomizations']!;

/** Themes that VS Code ships, with the backgrounds of their editors. */
const DARK = {
  'Default Dark Modern': '#1f1f1f',
  'Dark Modern': '#1f1f1f',
  'Default Dark+': '#1e1e1e',
  'Dark+': '#1e1e1e',
  'Dark 2026': '#121314',
  'Visual Studio Dark': '#1e1e1e',
  Abyss: '#000c18',
  'Kimbie Dark': '#221a0f',
  Monokai: '#272822',
  'Monokai Dimmed': '#1e1e1e',
  Red: '#390000',
  'Solarized Dark': '#002b36',
  'Tomorrow Night Blue': '#002451',
};
const LIGHT = {
  'Default Light Modern': '#ffffff',
  'Light Modern': '#ffffff',
  'Default Light+': '#ffffff',
  'Light+': '#ffffff',
  'Light 2026': '#ffffff',
  'Visual Studio Light': '#ffffff',
  'Quiet Light': '#f5f5f5',
  'Solarized Light': '#fdf6e3',
};

/** A theme of each kind, all backgrounds of the kind, and the contrast that WCAG 2 asks for. */
const THEMES = [
  { theme: '[Default Dark Modern]', kind: 'dark', backgrounds: Object.values(DARK), contrast: 4.5 },
  { theme: '[Default Light Modern]', kind: 'light', backgrounds: Object.values(LIGHT), contrast: 4.5 },
  { theme: '[Default High Contrast]', kind: 'highContrast', backgrounds: ['#000000'], contrast: 7 },
  { theme: '[Default High Contrast Light]', kind: 'highContrastLight', backgrounds: ['#ffffff'], contrast: 7 },
] as const;

const BANKS = ['sgpr', 'vgpr', 'agpr', 'avRegister'];

/** In CIELAB; 2.3 is just noticeable side by side, text needs many times that. */
const LEAST_DISTANCE = 25;

type Triple = readonly [number, number, number];

/** Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB. */
const VISIONS: Readonly<Record<string, readonly [Triple, Triple, Triple]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** sRGB to linear RGB, 0 to 1. */
function linear(colour: string): Triple {
  const channel = (k: number): number => {
    const c = parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return [channel(0), channel(1), channel(2)];
}

const luminance = (colour: string): number => dot([0.2126, 0.7152, 0.0722], linear(colour));

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** CIELAB of linear RGB, D65. */
function lab(rgb: Triple): Triple {
  const [r, g, b] = rgb.map((c) => Math.min(1, Math.max(0, c))) as [number, number, number];
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f(dot([0.4124564, 0.3575761, 0.1804375], [r, g, b]) / 0.95047);
  const y = f(dot([0.2126729, 0.7151522, 0.072175], [r, g, b]));
  const z = f(dot([0.0193339, 0.119192, 0.9503041], [r, g, b]) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function distance(a: string, b: string, vision: string): number {
  const seen = (colour: string): Triple =>
    lab(VISIONS[vision]!.map((row) => dot(row, linear(colour))) as unknown as Triple);
  const [p, q] = [seen(a), seen(b)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

function coloursOf(theme: string): string[] {
  const entry = Object.entries(customizations).find(([key]) => key.includes(theme));
  assert.ok(entry, theme);
  return BANKS.map((bank) => String(entry[1].rules[`${bank}:mir`]));
}

describe('colours of the register banks', () => {
  it('the measures: black on white, and two colours that a deuteranope confuses', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21);
    assert.ok(distance('#aa7000', '#508a00', 'usual') > 2 * distance('#aa7000', '#508a00', 'deuteranopia'));
  });

  it('are there for every theme that VS Code ships', () => {
    const themes = [
      ...Object.keys(DARK),
      ...Object.keys(LIGHT),
      'Default High Contrast',
      'Default High Contrast Light',
    ];
    for (const theme of themes) assert.equal(new Set(coloursOf(`[${theme}]`)).size, BANKS.length, theme);
    for (const theme of Object.keys(DARK))
      assert.deepEqual(coloursOf(`[${theme}]`), coloursOf('[Default Dark Modern]'));
    for (const theme of Object.keys(LIGHT))
      assert.deepEqual(coloursOf(`[${theme}]`), coloursOf('[Default Light Modern]'));
  });

  it('no modifier is underlined, as findings are', () => {
    const rules = customizations.rules as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    for (const [selector, style] of Object.entries(rules)) assert.ok(!('underline' in style), selector);
  });

  for (const { theme, kind, backgrounds, contrast: least } of THEMES) {
    const colours = coloursOf(theme);

    it(`stand out from the background: ${theme}`, () => {
      for (const [k, colour] of colours.entries())
        for (const background of backgrounds)
          assert.ok(
            contrast(colour, background) >= least,
            `${BANKS[k]} ${colour}: ${contrast(colour, background).toFixed(1)}`,
          );
    });

    it(`differ for every eye: ${theme}`, () => {
      for (const vision of Object.keys(VISIONS))
        colours.forEach((a, k) =>
          colours.slice(k + 1).forEach((b, n) => {
            const d = distance(a, b, vision);
            assert.ok(d >= LEAST_DISTANCE, `${BANKS[k]} ${a}, ${BANKS[k + 1 + n]} ${b}, ${vision}: ${d.toFixed(1)}`);
          }),
        );
    });

    it(`are the same in the overview ruler and the pressure view: ${theme}`, () => {
      const ids = ['sgprPeak', 'vgprPeak', 'agprPeak', 'vectorPeak'];
      const others = ids.map((id) => contributes.colors.find((c) => c.id === `amdgpuMir.${id}`)?.defaults[kind]);
      assert.deepEqual(others, colours);
    });
  }
});
