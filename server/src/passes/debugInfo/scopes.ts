/**
 * Debug locations of a function, and which instructions belong to which lexical scope (LexicalScopes of LLVM 22).
 *
 * Metadata nodes go by the number under which LLVM prints them: nodes of one content are one.
 */
import { MDNode, MDString, type IRModule } from '../../ir/module.js';
import { MetadataSlots } from '../../ir/metadataSlots.js';
import { opcodeTraits, OpcodeTrait } from '../../analysis/opcodeTraits.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { BlockId, InstrId } from '../../model/machineFunction.js';
import { McFlag } from '../../target/api.js';
import { hasOpcodeFlag } from '../../target/opcodes.js';
import { NotModelled } from '../machinePass.js';
import type { SourcePlaces } from '../regalloc/debug/contract.js';

/** A place in the source text. */
interface Location {
  /** equal for equal locations */
  readonly key: string;
  readonly scope: MDNode;
  /** where the code of the scope was inlined */
  readonly inlinedAt: Location | null;
}

/** What a function's debug information is asked for. */
export class DebugInfo implements SourcePlaces {
  private numbering: MetadataSlots | null = null;
  private readonly locations = new Map<string, Location>();

  private constructor(
    private readonly module: IRModule,
    private readonly subprogram: MDNode,
  ) {}

  /** Null for a function without debug information. */
  static of(module: IRModule | null, name: string): DebugInfo | null {
    const subprogram = module?.functionByName(name)?.attachments?.find((a) => a.kind === 'dbg')?.node;
    return module === null || !(subprogram instanceof MDNode) ? null : new DebugInfo(module, subprogram);
  }

  /** What tells the place apart at which the code of a location was inlined; '' when it is the function's own. */
  inlinedAt(text: string): string {
    return this.location(text).inlinedAt?.key ?? '';
  }

  /** `a.c:1:2`, as messages of llc begin. */
  sourcePlace(text: string): string {
    const written = text.startsWith('!DILocation');
    const fields = written ? null : this.node(text).fields;
    const number = (name: string): string =>
      String(fields?.get(name) ?? new RegExp(`\\b${name}: (\\d+)`).exec(text)?.[1] ?? 0);
    return `${fileOf(this.location(text).scope)}:${number('line')}:${number('column')}`;
  }

  get functionPlace(): string {
    return `${fileOf(this.subprogram)}:${String(this.subprogram.fields?.get('scopeLine') ?? 0)}:0`;
  }

  location(text: string): Location {
    let found = this.locations.get(text);
    if (found === undefined) {
      found = text.startsWith('!DILocation') ? this.written(text) : this.ofNode(this.node(text));
      this.locations.set(text, found);
    }
    return found;
  }

  /** Scopes for which the compile unit wants no information have none. */
  isSkipped(scope: MDNode): boolean {
    const subprogram = this.subprogramOf(scope);
    const unit = subprogram?.fields?.get('unit');
    return unit instanceof MDNode && unit.fields?.get('emissionKind') === 'NoDebug';
  }

  get isFunctionSkipped(): boolean {
    return this.isSkipped(this.subprogram);
  }

  keyOf(node: MDNode): string {
    const slot = this.slots.slotOf(node);
    if (slot < 0) throw new NotModelled('debug locations whose metadata has no number');
    return `!${slot}`;
  }

  private get slots(): MetadataSlots {
    return (this.numbering ??= new MetadataSlots(this.module));
  }

  private node(text: string): MDNode {
    const node = this.slots.nodes[Number(text.slice(1))] as MDNode | undefined;
    if (!/^!\d+$/.test(text) || node === undefined)
      throw new NotModelled('debug locations whose metadata has no number');
    return node;
  }

  private ofNode(node: MDNode): Location {
    const scope = node.fields?.get('scope');
    if (!(scope instanceof MDNode)) throw new NotModelled('debug locations without a scope');
    const inlinedAt = node.fields?.get('inlinedAt');
    return {
      key: this.keyOf(node),
      scope,
      inlinedAt: inlinedAt instanceof MDNode ? this.location(this.keyOf(inlinedAt)) : null,
    };
  }

  /** `!DILocation(line: 1, scope: !2, inlinedAt: !3)` */
  private written(text: string): Location {
    const scope = /\bscope: (!\d+)/.exec(text)?.[1] ?? '';
    const at = text.indexOf('inlinedAt: ');
    const inlinedAt = at < 0 ? null : /^(?:!\d+|!DILocation\(.*?\)+(?=\)))/.exec(text.slice(at + 'inlinedAt: '.length));
    if (at >= 0 && inlinedAt === null) throw new NotModelled('debug locations whose metadata has no number');
    return {
      key: text,
      scope: this.node(scope),
      inlinedAt: inlinedAt === null ? null : this.location(inlinedAt[0]),
    };
  }

  private subprogramOf(scope: MDNode): MDNode | null {
    for (let at: MDNode = scope; ;) {
      if (at.className === 'DISubprogram') return at;
      const next = at.fields?.get('scope');
      if (!(next instanceof MDNode)) return null;
      at = next;
    }
  }
}

/**
 * Whether the variable that a debug instruction names is a parameter. `node`: its number as written, -1 where it stands there itself.
 * @llvm DebugInfoMetadata.h DILocalVariable::isParameter
 */
export function isParameter(module: IRModule | null, { text, node }: { text: string; node: number }): boolean {
  if (node < 0) return /\barg: [1-9]/.test(text);
  return Number(module?.numberedMetadata.get(node)?.fields?.get('arg') ?? 0) > 0;
}

/** Instructions from `first` to `last`, which may stand in another block. */
interface InstrRange {
  readonly first: InstrId;
  readonly last: InstrId;
}

class Scope {
  readonly ranges: InstrRange[] = [];
  private first = -1;
  private last = -1;

  constructor(private readonly parent: Scope | null) {}

  isAround(other: Scope): boolean {
    return other === this || (other.parent !== null && this.isAround(other.parent));
  }

  extend(range: InstrRange): void {
    if (this.first < 0) this.first = range.first;
    this.last = range.last;
    this.parent?.extend(range);
  }

  /** The code goes on in `next`, null: it ends. */
  close(next: Scope | null): void {
    this.ranges.push({ first: this.first, last: this.last });
    this.first = this.last = -1;
    const { parent } = this;
    if (parent !== null && (next === null || !parent.isAround(next))) parent.close(next);
  }
}

/** A lexical block that only changes the file is none. */
function withoutFileBlocks(scope: MDNode): MDNode {
  for (let at = scope; ;) {
    const next = at.fields?.get('scope');
    if (at.className !== 'DILexicalBlockFile' || !(next instanceof MDNode)) return at;
    at = next;
  }
}

/**
 * Scopes of the instructions of a function, its debug instructions left out. O(instructions)
 * @llvm LexicalScopes.cpp LexicalScopes
 */
export class LexicalScopes {
  private readonly scopes = new Map<string, Scope>();
  /** that of the function itself, null before a location asks for it */
  private whole: Scope | null = null;

  constructor(
    private readonly editor: FunctionEditor,
    private readonly info: DebugInfo,
  ) {
    if (info.isFunctionSkipped) return;
    let before: Scope | null = null;
    for (let b = 0; b < editor.fn.blocks.length; b++) {
      for (const [scope, range] of this.rangesOf(b)) {
        if (before !== null && !before.isAround(scope)) before.close(scope);
        scope.extend(range);
        before = scope;
      }
    }
    before?.close(null);
  }

  /**
   * The code of the scope of a location, null when it has none.
   * @llvm LexicalScopes.cpp LexicalScopes::getMachineBasicBlocks
   */
  rangesAt(location: string): readonly InstrRange[] | null {
    const { scope, inlinedAt } = this.info.location(location);
    return this.scopes.get(this.keyOf(withoutFileBlocks(scope), inlinedAt))?.ranges ?? null;
  }

  /**
   * By block: 1 where the scope of a location reaches. The function's own scope reaches everywhere: null.
   * @llvm LexicalScopes.cpp LexicalScopes::dominates
   */
  blocksAt(location: string): Uint8Array | null {
    const scope = this.scopeAt(this.info.location(location));
    if (scope === this.whole) return null;
    const { instrBlock, blocks } = this.editor.fn;
    const reached = new Uint8Array(blocks.length);
    for (const { first, last } of scope.ranges) reached.fill(1, instrBlock[first], instrBlock[last] + 1);
    return reached;
  }

  /**
   * Instructions of a block that follow one another under one location.
   * @llvm LexicalScopes.cpp LexicalScopes::extractLexicalScopes
   */
  private rangesOf(b: BlockId): [Scope, InstrRange][] {
    const { editor } = this;
    const { fn } = editor;
    const traits = opcodeTraits(fn.tables);
    const found: [Scope, InstrRange][] = [];
    let location: string | null = null;
    let first = -1;
    let last = -1;
    const close = (): void => {
      if (location !== null) found.push([this.scopeAt(this.info.location(location)), { first, last }]);
    };
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      if ((traits[fn.opcode[i]] & OpcodeTrait.Debug) !== 0 || hasOpcodeFlag(fn.tables, fn.opcode[i], McFlag.Meta))
        continue;
      const own = fn.extras.get(i)?.debugLocation;
      if (own !== undefined && own !== location) {
        close();
        first = i;
        location = own;
      }
      last = i;
    }
    close();
    return found;
  }

  private keyOf(scope: MDNode, inlinedAt: Location | null): string {
    return `${this.info.keyOf(scope)} ${inlinedAt?.key ?? ''}`;
  }

  /** @llvm LexicalScopes.cpp LexicalScopes::getOrCreateLexicalScope */
  private scopeAt({ scope, inlinedAt }: Location): Scope {
    return this.scopeOf(scope, inlinedAt);
  }

  private scopeOf(given: MDNode, inlinedAt: Location | null): Scope {
    if (inlinedAt !== null && this.info.isSkipped(given)) return this.scopeAt(inlinedAt);
    const node = withoutFileBlocks(given);
    const key = this.keyOf(node, inlinedAt);
    let scope = this.scopes.get(key);
    if (scope === undefined) {
      const around = node.fields?.get('scope');
      const isBlock = node.className === 'DILexicalBlock' && around instanceof MDNode;
      const parent = isBlock ? this.scopeOf(around, inlinedAt) : inlinedAt === null ? null : this.scopeAt(inlinedAt);
      this.scopes.set(key, (scope = new Scope(parent)));
      if (parent === null) this.whole = scope;
    }
    return scope;
  }
}

function fileOf(scope: MDNode): string {
  const file = scope.fields?.get('file');
  const name = file instanceof MDNode ? file.fields?.get('filename') : null;
  return name instanceof MDString ? name.value : '<unknown>';
}
