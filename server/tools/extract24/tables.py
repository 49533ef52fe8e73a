"""Opcodes, registers and classes of LLVM 24, from the tables that TableGen made and the library keeps.

What is a struct there is decoded by its offsets, which `check` holds against what can be asked of functions; where a function of the library
answers, it is asked.
"""
import ctypes
import struct
from ctypes import c_void_p

DESC_SIZE = 32
REG_UNIT_BITS = 12


class StringRef(ctypes.Structure):
    _fields_ = [('data', c_void_p), ('length', ctypes.c_size_t)]

    def text(self):
        return ctypes.string_at(self.data, self.length).decode()


class Pool:
    """Numbers values by first appearance."""

    def __init__(self):
        self.items = []
        self.ids = {}

    def add(self, value):
        key = tuple(tuple(v) if isinstance(v, list) else v for v in value)
        if key not in self.ids:
            self.ids[key] = len(self.items)
            self.items.append(list(value))
        return self.ids[key]


def ranges(values):
    """[first, count, first, count, ...] of numbers in their order."""
    res = []
    for v in values:
        if res and res[-2] + res[-1] == v:
            res[-1] += 1
        else:
            res += [v, 1]
    return res


def text_at(data, offset):
    return data[offset:data.index(b'\0', offset)].decode()


# AMDGPU::OperandType of 24 has two more than in 22.1.8, whose numbers the product goes by: pairs of 64 bits, integers and floating point, get new ones.
TYPES_OF_PAIRS = {24: 47, 28: 48}


class Opcodes:
    """Names and descriptors of all opcodes. `new_types`: operand types that 22.1.8 lacks, with the numbers that they get."""

    def __init__(self, lib, new_types):
        self.lib = lib
        self.new_types = new_types
        indices = struct.unpack(f'<{lib.sizes["_ZN4llvm22AMDGPUInstrNameIndicesE"] // 4}I',
                                lib.bytes('_ZN4llvm22AMDGPUInstrNameIndicesE'))
        data = lib.bytes('_ZN4llvm19AMDGPUInstrNameDataE')
        self.names = [text_at(data, i) for i in indices]
        self.count = len(self.names)
        self.table = lib.bytes('_ZN4llvm11AMDGPUDescsE')
        self.rest = self.table[self.count * DESC_SIZE:]

    def operand_type(self, kind):
        return self.new_types.get(kind, kind - sum(kind > new for new in self.new_types))

    def descriptor(self, opcode):
        at = (self.count - 1 - opcode) * DESC_SIZE
        number, nops, defs, size, sched, uses, idefs, info, implicit, flags, ts = struct.unpack_from(
            '<IHBBHBBHHQQ', self.table, at)
        assert number == opcode, (number, opcode)
        operands = []
        for k in range(nops):
            rc, oflags, kind, constraints = struct.unpack_from('<hBBH', self.rest, (info + k) * 6)
            tied = constraints >> 4 & 15 if constraints & 1 else -1
            early = constraints >> 1 & 1
            operands += [rc, oflags, self.operand_type(kind), tied, early]
        registers = struct.unpack_from(f'<{uses + idefs}H', self.rest, implicit * 2)
        return dict(defs=defs, size=size, sched=sched, flags=flags, ts=ts, operands=operands,
                    uses=list(registers[:uses]), idefs=list(registers[uses:]))


# The packer's names of the maps between opcodes, and the functions that answer them.
MAPS = {
    'VOPe32': 'getVOPe32', 'VOPe64': 'getVOPe64', 'SDWA': 'getSDWAOp', 'BasicFromSDWA': 'getBasicFromSDWAOp',
    'DPP32': 'getDPPOp32', 'DPP64': 'getDPPOp64', 'CommuteOrig': 'getCommuteOrig', 'CommuteRev': 'getCommuteRev',
    'MUBUFAddr64': 'getAddr64Inst', 'MUBUFIfAddr64': 'getIfAddr64Inst', 'SOPK': 'getSOPKOp',
    'GlobalSaddr': 'getGlobalSaddrOp', 'GlobalVaddr': 'getGlobalVaddrOp', 'VCMPXNoSDst': 'getVCMPXNoSDstOp',
    'VCMPXFromVCMP': 'getVCMPXOpFromVCMP', 'FlatScratchSSfromSV': 'getFlatScratchInstSSfromSV',
    'FlatScratchSTfromSS': 'getFlatScratchInstSTfromSS', 'FlatScratchSVfromSS': 'getFlatScratchInstSVfromSS',
    'FlatScratchSVfromSVS': 'getFlatScratchInstSVfromSVS', 'MFMAEarlyClobber': 'getMFMAEarlyClobberOp',
    'MFMASrcCVDstAGPR': 'getMFMASrcCVDstAGPROp', 'SOPPWithRelaxation': 'getSOPPWithRelaxation',
}


class Registers:
    def __init__(self, lib):
        self.lib = lib
        self.desc = lib.bytes('_ZN4llvm13AMDGPURegDescE')
        self.count = len(self.desc) // 24
        self.strings = lib.bytes('_ZN4llvm16AMDGPURegStringsE')
        diffs = lib.bytes('_ZN4llvm18AMDGPURegDiffListsE')
        self.diffs = struct.unpack(f'<{len(diffs) // 2}h', diffs)
        indices = lib.bytes('_ZN4llvm20AMDGPUSubRegIdxListsE')
        self.sub_indices = struct.unpack(f'<{len(indices) // 2}H', indices)
        lanes = lib.bytes('_ZN4llvm19AMDGPULaneMaskListsE')
        self.lanes = struct.unpack(f'<{len(lanes) // 8}Q', lanes)
        encodings = lib.bytes('_ZN4llvm22AMDGPURegEncodingTableE')
        self.encodings = struct.unpack(f'<{len(encodings) // 2}H', encodings)
        self.rows = [struct.unpack_from('<IIIIIHBB', self.desc, r * 24) for r in range(self.count)]

    def name(self, r):
        return text_at(self.strings, self.rows[r][0])

    def _list(self, first, offset):
        """Values of a differential list after `first`; the list ends with 0."""
        res = []
        value = first
        while self.diffs[offset] != 0:
            value = value + self.diffs[offset] & 0xffff
            res.append(value)
            offset += 1
        return res

    def sub_regs(self, r):
        return self._list(r, self.rows[r][1])

    def super_regs(self, r):
        return self._list(r, self.rows[r][2])

    def sub_pairs(self, r):
        """[(index, sub-register)]"""
        first = self.rows[r][3]
        return [(self.sub_indices[first + k], s) for k, s in enumerate(self.sub_regs(r))]

    def units(self, r):
        packed = self.rows[r][4]
        first = packed & (1 << REG_UNIT_BITS) - 1
        return [first, *self._list(first, packed >> REG_UNIT_BITS)]

    def unit_lanes(self, r):
        first = self.rows[r][5]
        return [self.lanes[first + k] for k in range(len(self.units(r)))]
