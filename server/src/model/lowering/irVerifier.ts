/**
 * Rules of LLVM's IR verifier that files break which llc's parser takes: attributes and calling conventions (`irAttributeRules.ts`), blocks, PHIs,
 * dominance and calls (`irBodyRules.ts`), attachments and module flags (`irMetadataRules.ts`, `irTbaaRules.ts`, `irAnnotationRules.ts`), global
 * variables (`irGlobalRules.ts`), allocas in the wrong address space. llc runs the verifier between reading the IR and reading the functions, prints
 * all that it finds and gives up. Debug info is checked where it is upgraded.
 */
import { DiagnosticOrigin, Severity, type Diagnostic } from '../../text/diagnostic.js';
import type { GlobalAlias, IRModule } from '../../ir/module.js';
import { aliasProblem, resolverProblem, storageProblem, verifyGlobal } from './irGlobalRules.js';
import { AttachmentRules, verifyAssociated, verifyModuleFlags, verifyTextLists } from './irMetadataRules.js';
import { verifySignature } from './irAttributeRules.js';
import { typeSizeBits } from '../../ir/dataLayout.js';
import { printInstruction, printTypedValue } from '../../ir/printer.js';
import { addressTaken, verifyBody } from './irBodyRules.js';

/** `code` of what stops llc here. */
export const IR_VERIFIER = 'ir-verifier';

/** Offsets are those of the module. Reads all bodies. */
export function verifyIR(module: IRModule): Diagnostic[] {
  const res: Diagnostic[] = [];
  const report = (message: string, offset: number, value: string): void => {
    const at = Math.max(0, offset);
    const severity = Severity.Error;
    const origin = DiagnosticOrigin.Function;
    res.push({ start: at, end: at, severity, origin, code: 'ir-verifier', message, llcValue: value });
  };
  const taken = addressTaken(module);
  const attachments = new AttachmentRules(module);
  for (const fn of module.functions) {
    verifyAssociated(fn, module, (message, ...values) =>
      report(message, fn.bodyStart, values.map((v) => `${v}\n`).join('')),
    );
    const problem = storageProblem(fn);
    if (problem !== '') report(problem, fn.bodyStart, `${printTypedValue(fn)}\n`);
    verifySignature(fn, module, (message, ...values) =>
      report(message, fn.bodyStart, values.map((v) => `${v}\n`).join('')),
    );
    const user = taken.get(fn);
    if (user !== undefined) {
      const text = printInstruction(user, user.parent.parent, module);
      report('Invalid user of intrinsic instruction!', user.offset, `${text}\n`);
    }
    attachments.checkFunction(fn, (message, ...values) =>
      report(message, fn.bodyStart, values.map((v) => `${v}\n`).join('')),
    );
    verifyBody(fn, module, attachments, (message, at, ...values) =>
      report(message, at, values.map((v) => `${v}\n`).join('')),
    );
  }
  for (const g of module.globals) {
    const about = (message: string, ...values: readonly string[]): void =>
      report(message, g.offset, values.map((v) => `${v}\n`).join(''));
    verifyAssociated(g, module, about);
    const problem = storageProblem(g);
    if (problem !== '') about(problem, printTypedValue(g));
    attachments.checkSymbolRange(
      g.attachments,
      module.types.int(typeSizeBits(g.type)),
      () => printTypedValue(g),
      about,
    );
    verifyGlobal(g, about);
  }
  const verifyTargets = (list: readonly GlobalAlias[], problemOf: (a: GlobalAlias) => string): void => {
    for (const a of list) {
      const problem = problemOf(a);
      if (problem !== '') report(problem, a.offset, `${printTypedValue(a)}\n`);
    }
  };
  verifyTargets(module.aliases, aliasProblem);
  verifyTargets(module.ifuncs, resolverProblem);
  const aboutModule = (message: string, ...values: readonly string[]): void =>
    report(message, 0, values.map((v) => `${v}\n`).join(''));
  for (const { operands } of module.namedMetadata)
    for (const node of operands) attachments.checkNode(node, aboutModule);
  verifyModuleFlags(module, aboutModule);
  verifyTextLists(module, aboutModule);
  return res;
}
