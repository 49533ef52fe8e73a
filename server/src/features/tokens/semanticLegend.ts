/**
 * Types and modifiers of our semantic tokens, apart from the code that makes them so that the protocol thread need not load that.
 * docs/semantic-tokens.md describes them for theme authors.
 */
import type { SemanticTokensLegend } from 'vscode-languageserver-types';

export const enum TokenType {
  SGPR = 0,
  VGPR,
  AGPR,
  AV,
  Register,
  Opcode,
  RegClass,
  SubReg,
  Block,
  FrameObject,
  Global,
  IRValue,
  Metadata,
}

export const enum Modifier {
  Declaration = 1,
  Definition = 2,
  Kill = 4,
  Dead = 8,
  Undef = 16,
  Implicit = 32,
  Uniform = 64,
  Divergent = 128,
  LaneMask = 256,
}

/** In the order of TokenType and of the bits of Modifier. */
export const SEMANTIC_TOKENS_LEGEND: SemanticTokensLegend = {
  tokenTypes: [
    'sgpr',
    'vgpr',
    'agpr',
    'avRegister',
    'register',
    'opcode',
    'registerClass',
    'subRegister',
    'block',
    'frameObject',
    'global',
    'irValue',
    'metadata',
  ],
  tokenModifiers: [
    'declaration',
    'definition',
    'kill',
    'dead',
    'undef',
    'implicit',
    'uniform',
    'divergent',
    'laneMask',
  ],
};
