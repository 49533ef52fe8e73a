/** Words for each option of llc: with a value that llvm::cl takes, with one that it does not, and alone. */
import { OptionParser, ValueExpected, type OptionSpec } from '../../server/src/commandLine/optionSpec.js';

/** Options that say what runs on what, or end llc: tests set them themselves. */
const FRAME =
  /^(?:o|x|h|p|passes|run-pass|mtriple|march|mcpu|mattr|filetype|help|help-hidden|help-list|help-list-hidden|version)$/;

/** Options that print, load or abort while llc still reads its command line. */
const ACT_AT_ONCE =
  /^(?:load|load-pass-plugin|debug-counter|sve-tail-folding|x86-align-branch|spirv-ext|opt-bisect|opt-disable)$/;

export const isFrame = ({ name }: OptionSpec): boolean => FRAME.test(name);
export const actsAtOnce = ({ name }: OptionSpec): boolean => ACT_AT_ONCE.test(name);

const NUMBERS = ['0', '1', '7', '100'];

/** Values that llvm::cl takes, one or more. Undefined = none is written. */
export function goodValues(spec: OptionSpec): (string | undefined)[] {
  if (spec.expects === ValueExpected.Disallowed) return [undefined];
  switch (spec.parser) {
    case OptionParser.Bool:
      return ['true', 'false', undefined];
    case OptionParser.Alias:
      return spec.expects === ValueExpected.Optional ? ['true'] : ['3'];
    case OptionParser.String:
      return ['x', '', 'f'];
    case OptionParser.Enum:
      return [...spec.values];
    case OptionParser.SPIRVExtensions:
      return ['all'];
    case OptionParser.DebugCounter:
      return ['machine-cp-fwd=1'];
    default:
      return NUMBERS;
  }
}

/** A value that llvm::cl refuses, undefined if there is none. */
export function badValue(spec: OptionSpec): string | undefined {
  if (spec.expects === ValueExpected.Disallowed) return '1';
  switch (spec.parser) {
    case OptionParser.String:
    case OptionParser.Char:
    case OptionParser.SPIRVExtensions:
    case OptionParser.DebugCounter:
      return undefined;
    default:
      return 'no-value';
  }
}

export const word = ({ name }: OptionSpec, value: string | undefined): string =>
  value === undefined ? `-${name}` : `-${name}=${value}`;
