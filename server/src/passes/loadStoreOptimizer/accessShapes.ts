/** Which accesses of memory can become one, by their opcodes (SILoadStoreOptimizer, LLVM 22; docs/llvm/memory-accesses.md, 1). */
import { McFlag, type Opcode, type TargetTables } from '../../target/api.js';
import { hasOpcodeFlag, isImage } from '../../target/opcodes.js';

export type AccessFamily = 'lds' | 'scalar' | 'buffer' | 'typedBuffer' | 'image' | 'flat';

/** What an opcode that may be merged says of itself. */
export interface AccessShape {
  readonly family: AccessFamily;
  readonly isStore: boolean;
  /** Accesses that have it and an address in common are looked at together (LLVM's instruction class). */
  readonly group: string;
  /** Only those that have it in common, too, become one (LLVM's subclass). */
  readonly kind: string;
  /** 32-bit words, of typed buffers components; 0 of images, whose mask says it */
  readonly width: number;
  /** operands of the address */
  readonly address: readonly string[];
  /** Name of the opcode for `width` words; `isGlobal`: both halves go to global memory. */
  readonly widened: (width: number, isGlobal: boolean) => string;
}

const LDS = /^(DS_(READ|WRITE))_B(32|64)(?:_gfx9)?$/;
const SCALAR = /^S_(BUFFER_LOAD|LOAD)_DWORD(?:X([2348]))?(_SGPR)?_IMM(?:_ec)?$/;
const FLAT = /^(GLOBAL|FLAT)_(LOAD|STORE)_DWORD(?:X([234]))?(_SADDR)?$/;
const BUFFER = /^(BUFFER_(LOAD|STORE)_DWORD)(?:X([234]))?((?:_VBUFFER)?_(?:OFFEN|IDXEN|BOTHEN|OFFSET)(?:_exact)?)$/;
const TYPED = /^(TBUFFER_(LOAD|STORE)_FORMAT_)(XY?Z?W?)((?:_VBUFFER)?_(OFFEN|IDXEN|BOTHEN|OFFSET)(?:_exact)?)$/;
const IMAGE = /^(IMAGE_\w+)_V\d+(_V\d+(?:_\w+)?)$/;
/** images that are searched, or of which four texels are read at once */
const OTHER_IMAGES = /^IMAGE_(?:BVH|GATHER4)/;

const COMPONENTS = ['', 'X', 'XY', 'XYZ', 'XYZW'];

const words = (width: number): string => (width === 1 ? '' : `X${width}`);

export class AccessShapes {
  private readonly known = new Map<Opcode, AccessShape | null>();

  constructor(private readonly tables: TargetTables) {}

  /**
   * Null where an access is left alone.
   * @llvm SILoadStoreOptimizer.cpp getInstClass
   * @llvm SILoadStoreOptimizer.cpp getInstSubclass
   */
  of(opcode: Opcode): AccessShape | null {
    let shape = this.known.get(opcode);
    if (shape === undefined) this.known.set(opcode, (shape = this.find(opcode)));
    return shape;
  }

  private find(opcode: Opcode): AccessShape | null {
    const name = this.tables.opcodeName(opcode);
    return lds(name) ?? scalar(name) ?? flat(name) ?? this.buffer(opcode, name) ?? this.image(opcode, name);
  }

  private present(opcode: Opcode, names: readonly string[]): string[] {
    return names.filter((name) => this.tables.getNamedOperandIdx(opcode, name) >= 0);
  }

  private buffer(opcode: Opcode, name: string): AccessShape | null {
    const [, base, access, width = '1', form] = BUFFER.exec(name) ?? [];
    if (base === undefined) return this.typedBuffer(opcode, name);
    return {
      family: 'buffer',
      isStore: access === 'STORE',
      group: base,
      kind: base + form,
      width: Number(width),
      address: this.present(opcode, ['srsrc', 'soffset', 'vaddr']),
      widened: (n) => base + words(n) + form,
    };
  }

  private typedBuffer(opcode: Opcode, name: string): AccessShape | null {
    const [, base, access, components, form, mode] = TYPED.exec(name) ?? [];
    const width = COMPONENTS.indexOf(components);
    if (base === undefined || width < 1) return null;
    const isStore = access === 'STORE';
    if (isStore && mode !== 'OFFEN' && mode !== 'OFFSET') return null;
    return {
      family: 'typedBuffer',
      isStore,
      group: base,
      kind: base + form,
      width,
      address: this.present(opcode, ['srsrc', 'soffset', 'vaddr']),
      widened: (n) => base + (COMPONENTS[n] ?? '') + form,
    };
  }

  private image(opcode: Opcode, name: string): AccessShape | null {
    const { tables } = this;
    const [, base, rest] = IMAGE.exec(name) ?? [];
    if (base === undefined || !isImage(tables, opcode) || OTHER_IMAGES.test(name)) return null;
    if (hasOpcodeFlag(tables, opcode, McFlag.MayStore) || !hasOpcodeFlag(tables, opcode, McFlag.MayLoad)) return null;
    const address = this.present(opcode, ['vaddr', 'srsrc', 'rsrc', 'ssamp', 'samp']);
    for (let k = 0; tables.getNamedOperandIdx(opcode, `vaddr${k}`) >= 0; k++) address.unshift(`vaddr${k}`);
    if (!address[0].startsWith('vaddr')) return null;
    return {
      family: 'image',
      isStore: false,
      group: 'IMAGE',
      kind: base,
      width: 0,
      address,
      widened: (n) => `${base}_V${n}${rest}`,
    };
  }
}

function lds(name: string): AccessShape | null {
  const [, group, access, bits] = LDS.exec(name) ?? [];
  if (group === undefined) return null;
  return {
    family: 'lds',
    isStore: access === 'WRITE',
    group,
    kind: name,
    width: Number(bits) / 32,
    address: ['addr'],
    widened: () => '',
  };
}

function scalar(name: string): AccessShape | null {
  const [, base, width = '1', sgpr = ''] = SCALAR.exec(name) ?? [];
  if (base === undefined || (base === 'LOAD' && sgpr !== '')) return null;
  const group = `S_${base}${sgpr}`;
  return {
    family: 'scalar',
    isStore: false,
    group,
    kind: group,
    width: Number(width),
    address: sgpr === '' ? ['sbase'] : ['sbase', 'soffset'],
    widened: (n) => `S_${base}_DWORD${words(n)}${sgpr}_IMM`,
  };
}

/** Accesses by 64-bit addresses go together, wherever they go; by an address in scalar registers only those of one segment. */
function flat(name: string): AccessShape | null {
  const [, segment, access, width = '1', saddr = ''] = FLAT.exec(name) ?? [];
  if (segment === undefined) return null;
  const group = `${saddr === '' ? 'FLAT' : segment}_${access}${saddr}`;
  return {
    family: 'flat',
    isStore: access === 'STORE',
    group,
    kind: group,
    width: Number(width),
    address: saddr === '' ? ['vaddr'] : ['saddr', 'vaddr'],
    widened: (n, isGlobal) => {
      const whose = saddr !== '' ? segment : isGlobal ? 'GLOBAL' : 'FLAT';
      return `${whose}_${access}_DWORD${words(n)}${saddr}`;
    },
  };
}
