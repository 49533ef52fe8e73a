"""Instructions made in the library's memory, and what it answers about them: scheduling classes and uniformity.

Operands are written by their layout (32 bytes: kind and flags, register number, the instruction, the value); an instruction has its descriptor at 16,
its block at 24.
"""
import ctypes
import struct
from ctypes import c_bool, c_int, c_int64, c_size_t, c_uint, c_uint16, c_uint32, c_uint64, c_uint8, c_void_p

from library import u64
from machine import storage
from tables import DESC_SIZE

REGISTER, IMMEDIATE, INTRINSIC = 0, 1, 17
DEF = 1 << 24
PARENT = 24
REG_INFO = 32
MAY_LOAD = 1
S32 = 32


class PointerInfo(ctypes.Structure):
    _fields_ = [('value', c_void_p), ('offset', c_int64), ('address_space', c_uint), ('stack', c_uint8)]


class Instructions:
    """Instructions of one machine function, which is never run; each lives until the process ends."""

    def __init__(self, lib, opcodes, function, instr_info):
        self.lib, self.opcodes, self.function, self.instr_info = lib, opcodes, function, instr_info
        self.descriptors = lib.address('_ZN4llvm11AMDGPUDescsE')
        self.create = lib.function('_ZN4llvm15MachineFunction18CreateMachineInstrERKNS_11MCInstrDescENS_8DebugLocEb', c_void_p,
                                   c_void_p, c_void_p, c_void_p, c_bool)
        self.add = lib.function('_ZN4llvm12MachineInstr10addOperandERNS_15MachineFunctionERKNS_14MachineOperandE', None, c_void_p,
                                c_void_p, c_void_p)
        block = lib.function(lib.one('MachineFunction23CreateMachineBasicBlockEPKNS_10BasicBlock'), c_void_p, c_void_p, c_void_p,
                             c_uint64, c_uint32)
        self.block = block(function, None, 0, 0)
        self.registers = u64(function + REG_INFO)
        self.new_register = lib.function(lib.one('MachineRegisterInfo21createVirtualRegisterEPKNS_'), c_uint,
                                         c_void_p, c_void_p, c_void_p, c_size_t)
        self.no_location = storage()
        self.known = {}

    def virtual(self, register_class):
        """A virtual register of the class at that address; the same one each time."""
        if register_class not in self.known:
            number = self.new_register(self.registers, register_class, None, 0)
            assert number >> 31, 'MachineRegisterInfo lies elsewhere'
            self.known[register_class] = number
        return self.known[register_class]

    def make(self, opcode, operands):
        """`operands`: (kind, value, is a def)"""
        descriptor = self.descriptors + (self.opcodes.count - 1 - opcode) * DESC_SIZE
        instr = self.create(self.function, descriptor, ctypes.addressof(self.no_location), True)
        assert u64(instr + 16) == descriptor, 'MachineInstr has another layout'
        for kind, value, is_def in operands:
            if kind == REGISTER:
                data = struct.pack('<IIQQQ', kind | (DEF if is_def else 0), value, 0, 0, 0)
            else:
                data = struct.pack('<IIQqQ', kind, 0, 0, value, 0)
            self.add(instr, self.function, ctypes.cast(ctypes.create_string_buffer(data), c_void_p))
        ctypes.c_uint64.from_address(instr + PARENT).value = self.block
        return instr


class Uniformity:
    """TargetInstrInfo::getValueUniformity for all opcodes, as the rules of ../extract/uniformity.cpp."""
    DEFAULT, ALWAYS, NEVER = 0, 1, 2
    OPERANDS_RULE, NEVER_RULE, ALWAYS_RULE, COPY_RULE, SPACE_RULE, GENERIC_RULE, INTRINSIC_RULE, CAST_RULE = range(8)

    def __init__(self, instructions, numbers, registers):
        self.made = instructions
        lib = instructions.lib
        self.of = lib.function('_ZNK4llvm11SIInstrInfo18getValueUniformityERKNS_12MachineInstrE', c_int, c_void_p, c_void_p)
        self.numbers = numbers
        names = {registers.name(r): r for r in range(1, registers.count)}
        self.vgpr, self.sgpr = names['VGPR0'], names['SGPR0']
        self.memory = lib.function(lib.one('MachineFunction20getMachineMemOperandENS_18MachinePointerInfoENS_17MachineMemOperand5FlagsENS_3LLTE'),
                                   c_void_p, c_void_p, PointerInfo, c_uint16, c_uint64, c_uint8, c_void_p, c_void_p, c_uint8, c_int, c_int)
        self.add_memory = lib.function('_ZN4llvm12MachineInstr13addMemOperandERNS_15MachineFunctionEPNS_17MachineMemOperandE', None,
                                       c_void_p, c_void_p, c_void_p)
        self.base_class = lib.function('_ZNK4llvm21AMDGPUGenRegisterInfo19getPhysRegBaseClassENS_10MCRegisterE', c_void_p, c_void_p, c_uint)
        self.empty = storage()

    def ask(self, opcode, operand, space=None):
        instr = self.made.make(opcode, [(REGISTER, self.sgpr, True), operand])
        if space is not None:
            pointer = PointerInfo(None, 0, space, 0)
            self.add_memory(instr, self.made.function,
                            self.memory(self.made.function, pointer, MAY_LOAD, S32, 2, ctypes.addressof(self.empty), None, 1, 0, 0))
        return self.of(self.made.instr_info, instr)

    def use(self, register):
        return (REGISTER, register, False)

    def rule(self, opcode, name):
        if name.startswith('G_INTRINSIC') and name.split('_')[1] == 'INTRINSIC' and name in INTRINSICS:
            return self.INTRINSIC_RULE
        if name == 'G_ADDRSPACE_CAST':
            return self.CAST_RULE
        scalar, vector = self.ask(opcode, self.use(self.sgpr)), self.ask(opcode, self.use(self.vgpr))
        if scalar == self.ALWAYS:
            return self.COPY_RULE if vector == self.NEVER else self.ALWAYS_RULE
        if scalar == self.NEVER:
            if self.ask(opcode, self.use(self.sgpr), 1) == self.NEVER:
                return self.NEVER_RULE
            assert self.ask(opcode, self.use(self.vgpr), 1) == self.DEFAULT, name
            assert all(self.ask(opcode, self.use(self.sgpr), space) == self.NEVER for space in (0, 5)), name
            return self.SPACE_RULE
        return self.OPERANDS_RULE if vector == self.NEVER else self.GENERIC_RULE

    def copies(self, register_info, count):
        """Physical registers whose copy is never uniform, and those without a class."""
        divergent, unknown = [], []
        copy = self.numbers['COPY']
        for r in range(1, count):
            if not self.base_class(register_info, r):
                unknown.append(r)
            elif self.ask(copy, self.use(r)) == self.NEVER:
                divergent.append(r)
        return divergent, unknown


INTRINSICS = ('G_INTRINSIC', 'G_INTRINSIC_W_SIDE_EFFECTS', 'G_INTRINSIC_CONVERGENT', 'G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS')


class Variants:
    """What variant scheduling classes resolve to, as ../extract/sched.cpp asks it."""
    DECIDING = ('cbsz', 'blgp', 'matrix_a_fmt', 'matrix_b_fmt')
    VALUES = 8

    def __init__(self, instructions, subtarget, model_table, row_size, classes, class_addresses, encoded, names_of_operands):
        self.made = instructions
        lib = instructions.lib
        self.schedule = storage()
        lib.function('_ZN4llvm16TargetSchedModel4initEPKNS_19TargetSubtargetInfoEbb', None, c_void_p, c_void_p, c_bool, c_bool)(
            ctypes.addressof(self.schedule), subtarget, True, True)
        self.resolve_ = lib.function('_ZNK4llvm16TargetSchedModel17resolveSchedClassEPKNS_12MachineInstrE', c_void_p, c_void_p, c_void_p)
        self.table, self.row_size = model_table, row_size
        self.classes, self.addresses, self.encoded, self.operand_names = classes, class_addresses, encoded, names_of_operands

    def resolve(self, instr):
        return (self.resolve_(ctypes.addressof(self.schedule), instr) - self.table) // self.row_size

    def copy(self, opcode):
        res = []
        for c in self.classes:
            if c.allocatable:
                register = self.made.virtual(self.addresses[c.id])
                instr = self.made.make(opcode, [(REGISTER, register, True), (REGISTER, register, False)])
                res += [c.id, self.resolve(instr)]
        return res

    def others(self, kinds, first, class_of):
        """`kinds`: the model's classes; `class_of(opcode, operand)`: a class that registers can be made of, -1 of an immediate"""
        res = []
        for op in range(first, self.made.opcodes.count):
            d = self.made.opcodes.descriptor(op)
            if kinds[d['sched']] != 'variant' or self.encoded[op] == -1:
                continue
            vary = [k for k in range(len(d['operands']) // 5) if self.operand_names(op, k) in self.DECIDING]
            found = []
            for n in range(self.VALUES ** len(vary)):
                operands = []
                value = n
                for k in range(len(d['operands']) // 5):
                    rc = class_of(op, k)
                    if k in vary:
                        operands.append((IMMEDIATE, value % self.VALUES, False))
                        value //= self.VALUES
                    elif rc >= 0:
                        operands.append((REGISTER, self.made.virtual(self.addresses[rc]), k < d['defs']))
                    else:
                        operands.append((IMMEDIATE, 0, False))
                found.append(self.resolve(self.made.make(op, operands)))
            if len(set(found)) == 1:
                found, vary = found[:1], []
            res.append([op, vary, found])
        return res
