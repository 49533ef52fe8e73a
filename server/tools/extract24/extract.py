#!/usr/bin/env python3
"""Prints what LLVM 24 knows about AMDGPU as JSON: the same document as ../extract prints of 22.1.8, the input of ../pack.

usage: extract.py LIBTRITON.so FACTS22.json    (of the wheel of triton 3.9.0, and what ../extract prints; needs g++; some minutes)

Nothing of LLVM's headers is used: tables are decoded from the library's data, functions called through its symbols.
"""
import collections
import ctypes
import json
import os
import struct
import subprocess
import sys
import tempfile
from ctypes import c_bool, c_char_p, c_int, c_size_t, c_uint, c_void_p

from library import Library, cstring, u16, u32, u64
from instructions import Instructions, Uniformity, Variants
from machine import CONVENTIONS, Machine
from tables import MAPS, TYPES_OF_PAIRS, Opcodes, Pool, Registers, StringRef, ranges, text_at

FORMAT = 1
# Of a scheduling model: its number.
MODEL_NUMBER = 28
FEATURES_OF_STATES = ['', '+wavefrontsize32', '+wavefrontsize64', '+cumode', '+real-true16']
HSA = 'amdgcn-amd-amdhsa'


def hexadecimal(value):
    return f'{value:x}'


class Extractor:
    VERSION = '24.0.0git'
    NEW_TYPES = TYPES_OF_PAIRS

    def __init__(self, path, facts22):
        self.facts22 = facts22
        self.lib = Library(path)
        self.opcodes = Opcodes(self.lib, self.NEW_TYPES)
        self.registers = Registers(self.lib)
        self.machine = Machine(self.lib, HSA)
        self.loops = self._loops()
        self.any = self.machine.subtarget('gfx90a', '')
        self.tri = self.lib.function('_ZNK4llvm12GCNSubtarget15getRegisterInfoEv', c_void_p, c_void_p)(self.any)
        self.tii = self.lib.function('_ZNK4llvm12GCNSubtarget12getInstrInfoEv', c_void_p, c_void_p)(self.any)

    def _loops(self):
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'loops.cpp')
        folder = tempfile.mkdtemp()
        subprocess.run(['g++', '-O1', '-shared', '-fPIC', source, '-o', f'{folder}/loops.so'], check=True)
        return ctypes.CDLL(f'{folder}/loops.so')

    def each(self, symbol, count):
        """symbol(0), symbol(1), ..."""
        out = (c_int * count)()
        self.loops.each(c_void_p(self.lib.address(symbol)), count, out)
        return out

    def encoded(self, instr_info):
        """pseudoToMCOpcode of each opcode; soft waits, which it asserts not to be given, are encoded as the hard ones."""
        names = self.opcodes.names
        numbers = {name: op for op, name in enumerate(names)}
        hard = [numbers[name[:-5]] if name.endswith('_soft') else op for op, name in enumerate(names)]
        count = len(names)
        out = (c_int * count)()
        symbol = '_ZNK4llvm11SIInstrInfo16pseudoToMCOpcodeEi'
        self.loops.eachOf(c_void_p(self.lib.address(symbol)), c_void_p(instr_info), count, (c_uint * count)(*hard), out)
        return out

    # -- opcodes -----------------------------------------------------------------------------------------------

    def instrs(self):
        count = self.opcodes.count
        operands, named, implicit = Pool(), Pool(), Pool()
        names, columns = self.operand_names()
        rows = []
        for op in range(count):
            d = self.opcodes.descriptor(op)
            here = []
            for k, column in enumerate(columns):
                if column[op] >= 0:
                    here += [k, column[op]]
            rows.append([self.opcodes.names[op], d['defs'], d['size'], d['sched'], d['flags'], hexadecimal(d['ts']),
                         operands.add(d['operands']), named.add(here), implicit.add(d['uses']), implicit.add(d['idefs'])])
        maps = {}
        for key, name in MAPS.items():
            symbol = f'_ZN4llvm6AMDGPU{len(name)}{name}Ej'
            if symbol not in self.lib.symbols:
                maps[key] = []
                continue
            to = self.each(symbol, count)
            maps[key] = [n for op in range(count) if 0 <= to[op] < count for n in (op, to[op])]
        return dict(operand_names=names, rows=rows, operand_lists=operands.items, named_lists=named.items,
                    implicit_lists=implicit.items, maps=maps)

    def operand_names(self):
        """
        Columns of getNamedOperandIdx, one for each name of AMDGPU::OpName, with the names. The library keeps numbers only: a column has the name
        that finds most of its operands in 22.1.8, in the opcodes that both have; one that no name fits has its number.
        """
        symbol = self.lib.one('_ZN4llvm6AMDGPU18getNamedOperandIdxE')
        find = self.lib.address(symbol)
        number = self.count_operand_names(self.lib.bytes(symbol))
        columns = []
        for k in range(number):
            out = (c_int * self.opcodes.count)()
            self.loops_swapped(find, k, out)
            columns.append([ctypes.c_int16(v).value for v in out])
        before = self.facts22['instrs']
        here = {name: op for op, name in enumerate(self.opcodes.names)}
        score = collections.Counter()
        for row in before['rows']:
            op = here.get(row[0])
            if op is None:
                continue
            pairs = before['named_lists'][row[7]]
            places = {}
            for n, place in zip(pairs[::2], pairs[1::2]):
                places.setdefault(place, []).append(n)
            for k, column in enumerate(columns):
                for n in places.get(column[op], ()):
                    score[k, n] += 1
        names, taken = {}, set()
        for (k, n), _ in score.most_common():
            if k not in names and n not in taken:
                names[k] = before['operand_names'][n]
                taken.add(n)
        self.operand_columns = [names.get(k, f'op{k}') for k in range(len(columns))], columns
        return self.operand_columns

    @staticmethod
    def count_operand_names(code):
        """A row of its table for each set of operands, a byte for each name: the function compares the name with their number, or multiplies by it."""
        for instruction in (b'\x81\xfe', b'\x48\x69\xd2'):
            at = code.find(instruction)
            if at >= 0:
                return struct.unpack_from('<I', code, at + len(instruction))[0]
        raise ValueError('getNamedOperandIdx has another way to its table')

    def loops_swapped(self, function, second, out):
        self.loops.eachSecond(c_void_p(function), c_uint(second), self.opcodes.count, out)

    # -- registers ---------------------------------------------------------------------------------------------

    SUB_REG_RANGE = '<II'

    def sub_reg_indices(self):
        lib = self.lib
        lanes = struct.unpack(f'<{lib.sizes["_ZN4llvmL30AMDGPUSubRegIndexLaneMaskTableE"] // 8}Q',
                              lib.bytes('_ZN4llvmL30AMDGPUSubRegIndexLaneMaskTableE'))
        strings = lib.bytes('_ZN4llvmL24AMDGPUSubRegIndexStringsE')
        offsets = struct.unpack(f'<{lib.sizes["_ZN4llvmL28AMDGPUSubRegIndexNameOffsetsE"] // 4}I',
                                lib.bytes('_ZN4llvmL28AMDGPUSubRegIndexNameOffsetsE'))
        places = lib.bytes('_ZN4llvmL25AMDGPUSubRegIdxRangeTableE')
        count = len(lanes)
        self.n_sub_indices = count
        self.n_modes = len(places) // (count * struct.calcsize(self.SUB_REG_RANGE))
        rows = [['', 0, 0, hexadecimal(lanes[0])]]
        for i in range(1, count):
            offset, size = struct.unpack_from(self.SUB_REG_RANGE, places, i * struct.calcsize(self.SUB_REG_RANGE))
            rows.append([text_at(strings, offsets[i - 1]), offset, size, hexadecimal(lanes[i])])
        compose = []
        symbol = '_ZNK4llvm21AMDGPUGenRegisterInfo24composeSubRegIndicesImplEjj'
        for a in range(1, count):
            out = (c_uint * count)()
            self.loops.eachPairOf(c_void_p(lib.address(symbol)), None, a, count, out)
            compose.append(list(out)[1:])
        return dict(rows=rows, compose=compose)

    def reg_units(self):
        lib = self.lib
        roots = lib.bytes('_ZN4llvm18AMDGPURegUnitRootsE')
        count = len(roots) // 4
        weight = lib.function('_ZNK4llvm21AMDGPUGenRegisterInfo16getRegUnitWeightENS_9MCRegUnitE', c_uint, c_void_p, c_uint)
        sets = lib.function('_ZNK4llvm14SIRegisterInfo22getRegUnitPressureSetsENS_9MCRegUnitE', c_void_p, c_void_p, c_uint)
        rows = []
        for u in range(count):
            pair = [r for r in struct.unpack_from('<HH', roots, u * 4) if r]
            name = '~'.join(self.registers.name(r) for r in pair)
            rows.append([name, weight(None, u), pair, self.until_minus_one(sets(self.tri, u))])
        return rows

    @staticmethod
    def until_minus_one(address):
        res = []
        while True:
            value = ctypes.c_int32.from_address(address).value
            if value == -1:
                return res
            res.append(value)
            address += 4

    def regs(self, classes):
        lib, registers = self.lib, self.registers
        allocatable, any_class = set(), {}
        for c in classes:
            for r in c.members:
                any_class[r] = True
                if c.allocatable:
                    allocatable.add(r)
        mapping = struct.unpack(f'<{registers.count}H',
                                lib.bytes('_ZZNK4llvm21AMDGPUGenRegisterInfo22getMinimalPhysRegClassENS_10MCRegisterEE7Mapping'))
        self.minimal = mapping
        asm_name = lib.function('_ZNK4llvm14SIRegisterInfo13getRegAsmNameENS_10MCRegisterE', StringRef, c_void_p, c_uint)
        lanes = Pool()
        rows, unordered = [], []
        for r in range(1, registers.count):
            _, _, _, _, _, _, constant, artificial = registers.rows[r]
            flags = constant | artificial << 1 | (r in allocatable) << 2
            pairs = registers.sub_pairs(r)
            rows.append([registers.name(r), registers.encodings[r], flags, ranges(registers.units(r)),
                         lanes.add(registers.unit_lanes(r)), asm_name(self.tri, r).text(),
                         [n for pair in pairs for n in pair], mapping[r] if r in any_class else -1])
            above = registers.super_regs(r)
            if above != sorted(above):
                unordered.append([r, *above])
        return dict(rows=rows, lane_lists=[[hexadecimal(m) for m in l] for l in lanes.items], super_regs_unordered=unordered)

    def reg_masks(self):
        lib = self.lib
        res = {}
        masks = lib.address('_ZZNK4llvm21AMDGPUGenRegisterInfo11getRegMasksEvE5Masks')
        names = lib.address('_ZZNK4llvm21AMDGPUGenRegisterInfo15getRegMaskNamesEvE5Names')
        self.masks = []
        for k in range(lib.sizes['_ZZNK4llvm21AMDGPUGenRegisterInfo11getRegMasksEvE5Masks'] // 8):
            bits = u64(masks + 8 * k)
            self.masks.append(bits)
            kept = [r for r in range(1, self.registers.count) if u32(bits + r // 32 * 4) >> r % 32 & 1]
            res[cstring(u64(names + 8 * k)).lower()] = ranges(kept)
        return res


    # -- classes -----------------------------------------------------------------------------------------------

    CLASSES = '_ZN4llvm28AMDGPUMCRegisterClassStorageE'
    CLASS_TYPE = '15MCRegisterClass'

    def of_class(self, before, after=''):
        """The name of a function that takes a class."""
        return f'{before}EPKNS_{self.CLASS_TYPE}E{after}'

    def class_addresses(self):
        base = self.lib.address(self.CLASSES)
        return [base + k * 64 for k in range(self.n_classes)]

    def read_classes(self):
        """The entries of the storage of classes, 64 bytes each; offsets in one are from its own address. The members of the first follow the last entry."""
        lib = self.lib
        data = lib.bytes(self.CLASSES)
        strings = lib.bytes('_ZN4llvm21AMDGPURegClassStringsE')
        count = struct.unpack_from('<I', data)[0] // 64
        self.n_classes = count
        words = (count + 31) // 32
        sizes = lib.bytes('_ZN4llvmL19AMDGPURegClassInfosE')
        classes = []
        for k in range(count):
            at = k * 64
            regs, _, name, bits, n, _, number, cost, allocatable, base = struct.unpack_from('<IIIIHHHbBB', data, at)
            mask, indices, _, lanes, priority, is_global, ts, _, disjunct, covered, _, above, n_above = struct.unpack_from(
                '<IIIQBBBBBBHIH', data, at + 28)
            assert number == k, (number, k)
            c = RegClass()
            c.id = k
            c.name = text_at(strings, name)
            c.members = struct.unpack_from(f'<{n}H', data, at + regs)
            c.bits, c.cost, c.allocatable, c.base = bits, cost, bool(allocatable), bool(base)
            c.lanes, c.priority, c.is_global, c.ts = lanes, priority, bool(is_global), ts
            c.disjunct, c.covered = bool(disjunct), bool(covered)
            c.above = struct.unpack_from(f'<{n_above}H', data, at + above)

            def classes_of(nth):
                bits_ = struct.unpack_from(f'<{words}I', data, at + mask + nth * words * 4)
                return [j for j in range(count) if bits_[j // 32] >> j % 32 & 1]

            c.below = classes_of(0)
            c.projections = []
            place = at + indices
            while True:
                index, = struct.unpack_from('<H', data, place)
                if index == 0:
                    break
                c.projections.append((index, classes_of(len(c.projections) + 1)))
                place += 2
            # Of the first hardware mode, which AMDGPU's classes do not depend on.
            _, c.spill_bits, c.spill_align, _ = struct.unpack_from('<IIII', sizes, k * 16)
            classes.append(c)
        return classes

    def classes(self, classes):
        lib = self.lib
        addresses = self.class_addresses()
        numbers = {a: k for k, a in enumerate(addresses)}
        weight = struct.unpack(f'<{self.n_classes * 2}I',
                               lib.bytes(self.of_class('_ZZNK4llvm21AMDGPUGenRegisterInfo17getRegClassWeight', 'E13RCWeightTable')))
        sets = lib.function(self.of_class('_ZNK4llvm21AMDGPUGenRegisterInfo23getRegClassPressureSets'), c_void_p, c_void_p, c_void_p)
        kind = lib.function(self.of_class('_ZN4llvm14GCNRegPressure10getRegKind', 'PKNS_14SIRegisterInfoE'), c_uint, c_void_p, c_void_p)
        narrowed = lib.function(self.of_class('_ZNK4llvm21AMDGPUGenRegisterInfo21getSubClassWithSubReg', 'j'), c_void_p, c_void_p, c_void_p, c_uint)
        part = lib.function(self.of_class('_ZNK4llvm21AMDGPUGenRegisterInfo19getSubRegisterClass', 'j'), c_void_p, c_void_p, c_void_p, c_uint)

        def number(address):
            return numbers[address] if address else -1

        rows = []
        for c in classes:
            here = addresses[c.id]
            parts = []
            for i in range(1, self.n_sub_indices):
                a, b = number(part(self.tri, here, i)), number(narrowed(self.tri, here, i))
                if a >= 0 or b >= 0:
                    parts.append([i, a, b])
            rows.append({
                'name': c.name, 'regs': ranges(c.members), 'bits': c.bits, 'spill_size': c.spill_bits // 8,
                'spill_align': c.spill_align // 8 if c.spill_bits // 8 else 0, 'copy_cost': c.cost & 255,
                'allocatable': c.allocatable, 'base_class': c.base, 'ts_flags': c.ts, 'alloc_priority': c.priority,
                'global_priority': c.is_global, 'disjunct_sub_regs': c.disjunct, 'covered_by_sub_regs': c.covered,
                'lanes': hexadecimal(c.lanes), 'weight': weight[c.id * 2], 'weight_limit': weight[c.id * 2 + 1],
                'pressure_sets': self.until_minus_one(sets(self.tri, here)), 'gcn_kind': kind(here, self.tri),
                'sub_classes': ranges(c.below), 'super_classes': list(c.above),
                'projections': [[i, ranges(l)] for i, l in c.projections], 'sub_reg_classes': parts,
            })
        return rows

    def pressure_sets(self):
        lib = self.lib
        count = lib.function('_ZNK4llvm21AMDGPUGenRegisterInfo21getNumRegPressureSetsEv', c_uint, c_void_p)(None)
        name = lib.function('_ZNK4llvm21AMDGPUGenRegisterInfo21getRegPressureSetNameEj', c_char_p, c_void_p, c_uint)
        return [name(None, k).decode() for k in range(count)]

    # -- processors --------------------------------------------------------------------------------------------

    def features(self):
        data = self.lib.bytes('_ZN4llvm22AMDGPUFeatureKVStorageE')
        rows = []
        at = 0
        first = None
        while first is None or at + 64 <= first:
            key, description, value = struct.unpack_from('<HHI', data, at)
            implied = int.from_bytes(data[at + 8:at + 64], 'little')
            rows.append([text_at(data, at + key), text_at(data, at + description), value, implied])
            first = at + key if first is None else min(first, at + key)
            at += 64
        self.bits_of_features = [r[2] for r in rows]
        return [[key, description, self.feature_list(implied)] for key, description, _, implied in rows]

    def feature_list(self, bits):
        return [k for k, bit in enumerate(self.bits_of_features) if bits >> bit & 1]

    def processors(self):
        data = self.lib.bytes('_ZN4llvm22AMDGPUSubTypeKVStorageE')
        rows = []
        at = 0
        first = None
        while first is None or at + 120 <= first:
            key, model = struct.unpack_from('<II', data, at)
            implied = int.from_bytes(data[at + 8:at + 64], 'little')
            tuning = int.from_bytes(data[at + 64:at + 120], 'little')
            rows.append([text_at(data, at + key), self.feature_list(implied), self.feature_list(tuning), model])
            first = at + key if first is None else min(first, at + key)
            at += 120
        return rows

    def states(self, n_mode_rows):
        """What depends on the processor and its features: each processor with no feature and with each of a few."""
        lib, count = self.lib, self.opcodes.count
        hw_mode = lib.function(lib.one('AMDGPUGenSubtargetInfo9getHwModeE'), c_uint, c_void_p, c_uint)
        check = lib.function('_ZNK4llvm15MCSubtargetInfo13checkFeaturesENS_9StringRefE', c_bool, c_void_p, c_char_p, c_size_t)
        registers = lib.function('_ZNK4llvm12GCNSubtarget15getRegisterInfoEv', c_void_p, c_void_p)
        saved = lib.function('_ZNK4llvm14SIRegisterInfo18getCalleeSavedRegsEPKNS_15MachineFunctionE', c_void_p, c_void_p, c_void_p)
        preserved = lib.function('_ZNK4llvm14SIRegisterInfo20getCallPreservedMaskERKNS_15MachineFunctionEj', c_void_p, c_void_p, c_void_p, c_uint)
        instr_info = lib.function('_ZNK4llvm12GCNSubtarget12getInstrInfoEv', c_void_p, c_void_p)
        modes_data = struct.unpack(f'<{self.n_modes * n_mode_rows}h', lib.bytes('_ZN4llvm28AMDGPURegClassByHwModeTablesE'))
        names = [f[0] for f in self.feature_rows]
        mode_tables, encodings, reg_lists, conventions = Pool(), Pool(), Pool(), Pool()
        states = []

        def hook(name, subtarget):
            own = f'_ZNK4llvm12GCNSubtarget{len(name)}{name}Ev'
            symbol = own if own in lib.symbols else f'_ZNK4llvm19TargetSubtargetInfo{len(name)}{name}Ev'
            return lib.function(symbol, c_bool, c_void_p)(subtarget)

        def state(cpu, features):
            functions = self.machine.functions(cpu, features)
            subtarget = self.machine.get_subtarget(self.machine.target_machine, functions[0])
            tri = registers(subtarget)
            machine_functions = self.machine.machine_functions(functions)
            mode = hw_mode(subtarget, 2)
            table = mode_tables.add(list(modes_data[mode * n_mode_rows:(mode + 1) * n_mode_rows]))
            to = self.encoded(instr_info(subtarget))
            encoding = encodings.add([n for op in range(count) if to[op] != op for n in (op, to[op])])
            here = []
            for (_, _, number), f in zip(CONVENTIONS, machine_functions):
                regs, at = [], saved(tri, f)
                while at and u16(at) != 0:
                    regs.append(u16(at))
                    at += 2
                mask = preserved(tri, f, number)
                here.append([number, reg_lists.add(ranges(regs)), self.masks.index(mask) if mask in self.masks else -1])
            on = [k for k, n in enumerate(names) if check(subtarget, f'+{n}'.encode(), len(n) + 1)]
            hooks = sum(hook(name, subtarget) << k for k, name in enumerate(
                ['enableMachineScheduler', 'enablePostRAMachineScheduler', 'enableSubRegLiveness', 'useAA',
                 'requiresDisjointEarlyClobberAndUndef']))
            states.append(dict(cpu=cpu, fs=features, on=on, mode_table=table, encodings=encoding,
                               conventions=conventions.add([tuple(row) for row in here]), orders=0, hooks=hooks))

        state('', '')
        for row in self.processor_rows:
            for features in FEATURES_OF_STATES:
                state(row[0], features)
        return dict(states=states, mode_tables=mode_tables.items, encoding_tables=encodings.items, reg_lists=reg_lists.items,
                    order_tables=[[]], convention_tables=[[list(r) for r in table] for table in conventions.items])

    # -- scheduling models -------------------------------------------------------------------------------------

    SCHED_CLASS_SIZE = 16

    @staticmethod
    def sched_class(data):
        """Micro-ops and flags; the first and the number of resources, of latencies, of advances."""
        _, packed, advance, resource, latency, n_advance, n_resource, n_latency = struct.unpack('<IHHHHHBB', data)
        return packed, resource, n_resource, latency, n_latency, advance, n_advance

    def model_addresses(self):
        first = self.lib.address('_ZN4llvm17AMDGPUSchedModelsE')
        return [first + k * 80 for k in range(self.lib.sizes['_ZN4llvm17AMDGPUSchedModelsE'] // 80)]

    def sched_models(self):
        lib = self.lib
        resources = lib.bytes(lib.one('AMDGPUWriteProcResTable'))
        latencies = lib.bytes(lib.one('AMDGPUWriteLatencyTable'))
        advances = lib.bytes(lib.one('AMDGPUReadAdvanceTable'))
        models = []
        for address in self.model_addresses():
            m = ctypes.string_at(address, 80)
            issue, buffer, _, load, high, mispredict, post, complete, intervals, _, number, kinds, table, n_kinds, n_classes = \
                struct.unpack_from('<IIIIIIBBBBIQQII', m)
            rows, classes = [], []
            for r in range(n_kinds):
                name = u64(kinds + r * 32)
                units, above, size = u32(kinds + r * 32 + 8), u32(kinds + r * 32 + 12), ctypes.c_int32.from_address(kinds + r * 32 + 16).value
                rows.append([cstring(name), units, above, size])
            for c in range(n_classes):
                packed, resource, n_resource, latency, n_latency, advance, n_advance = self.sched_class(
                    ctypes.string_at(table + c * self.SCHED_CLASS_SIZE, self.SCHED_CLASS_SIZE))
                ops = packed & 0x1fff
                if ops == 0x1fff:
                    classes.append(None)
                elif ops == 0x1ffe:
                    classes.append('variant')
                else:
                    flags = packed >> 13 & 1 | (packed >> 14 & 1) << 1 | packed >> 15 << 2
                    used = [n for j in range(n_resource) for n in struct.unpack_from('<HHH', resources, (resource + j) * 6)]
                    written = [n for j in range(n_latency) for n in struct.unpack_from('<hH', latencies, (latency + j) * 4)]
                    read = [n for j in range(n_advance) for n in struct.unpack_from('<IIi', advances, (advance + j) * 12)]
                    classes.append([ops, flags, used, written, read])
            models.append(dict(id=number, issue_width=issue, micro_op_buffer_size=buffer, load_latency=load, high_latency=high,
                               mispredict_penalty=mispredict, post_ra=bool(post), complete=bool(complete),
                               intervals=bool(intervals), resources=rows, classes=classes))
        return models


    def sched_variants(self, classes, models, states, mode_tables):
        """For each model, by the processor of it that encodes most opcodes: its rules look at instructions alone."""
        lib = self.lib
        named = self.named_operands()
        addresses = self.class_addresses()
        numbers = {a: k for k, a in enumerate(addresses)}
        allocatable = lib.function(self.of_class('_ZNK4llvm18TargetRegisterInfo19getAllocatableClass'), c_void_p, c_void_p, c_void_p)
        largest = [numbers.get(allocatable(self.tri, a), -1) for a in addresses]
        first_target = self.opcodes.names.index('G_FMAXIMUMNUM')
        while self.opcodes.names[first_target].startswith('G_'):
            first_target += 1
        addresses_of_models = self.model_addresses()
        instr_info = lib.function('_ZNK4llvm12GCNSubtarget12getInstrInfoEv', c_void_p, c_void_p)
        modes = {s['cpu']: mode_tables[s['mode_table']] for s in states if s['fs'] == ''}
        res = []
        for k, model in enumerate(models):
            if not model['classes']:
                continue
            encoded, chosen = {}, None
            for cpu, _, _, number in self.processor_rows:
                if number != k:
                    continue
                functions = self.machine.functions(cpu, '')
                subtarget = self.machine.get_subtarget(self.machine.target_machine, functions[0])
                to = self.encoded(instr_info(subtarget))
                encoded = {op: to[op] if to[op] != -1 else encoded.get(op, -1) for op in range(self.opcodes.count)}
                chosen = chosen or (cpu, functions, subtarget)
            if chosen is None:
                continue
            cpu, functions, subtarget = chosen
            function = self.machine.machine_functions(functions)[0]
            made = Instructions(lib, self.opcodes, function, instr_info(subtarget))
            table = u64(addresses_of_models[k] + 40)

            def class_of(op, place):
                rc, flags = self.opcodes.descriptor(op)['operands'][place * 5:place * 5 + 2]
                if flags & 1:
                    rc = modes[cpu][rc]
                return largest[rc] if rc >= 0 else -1

            variants = Variants(made, subtarget, table, self.SCHED_CLASS_SIZE, classes, addresses, encoded, lambda op, place: named[op].get(place, ''))
            res.append(dict(sched_model=model['id'], copy=variants.copy(self.opcodes.names.index('COPY')),
                            others=variants.others(model['classes'], first_target, class_of)))
        return res

    def add_aliases(self, document):
        """Processors under other names (`tahiti`), which are no rows of the table any more; which names there are is known from 22.1.8."""
        lib = self.lib
        parse = lib.function('_ZN4llvm6AMDGPU15parseArchAMDGCNENS_9StringRefE', c_uint, c_char_p, c_size_t)
        name_of = lib.function('_ZN4llvm6AMDGPU17getArchNameAMDGCNENS0_7GPUKindE', StringRef, c_uint)
        rows = {row[0]: row for row in document['cpus']}
        for name, *_ in self.facts22['cpus']:
            kind = parse(name.encode(), len(name))
            if name in rows or kind == 0:
                continue
            own = name_of(kind).text()
            document['cpus'].append([name, *rows[own][1:]])
            document['states'] += [dict(s, cpu=name) for s in document['states'] if s['cpu'] == own]
        document['cpus'].sort(key=lambda row: row[0])

    def named_operands(self):
        """Names of operands by opcode and place."""
        res = [{} for _ in range(self.opcodes.count)]
        for name, column in zip(*self.operand_columns):
            for op, place in enumerate(column):
                if place >= 0:
                    res[op][place] = name
        return res

    def uniformity(self):
        lib = self.lib
        functions = self.machine.functions('gfx90a', '')
        subtarget = self.machine.get_subtarget(self.machine.target_machine, functions[0])
        instr_info = lib.function('_ZNK4llvm12GCNSubtarget12getInstrInfoEv', c_void_p, c_void_p)(subtarget)
        made = Instructions(lib, self.opcodes, self.machine.machine_functions(functions)[0], instr_info)
        names = self.opcodes.names
        asked = Uniformity(made, {n: k for k, n in enumerate(names)}, self.registers)
        rules = [asked.rule(op, name) for op, name in enumerate(names)]
        divergent, unknown = asked.copies(self.tri, self.registers.count)
        intrinsics = self.intrinsics()

        def those(symbol):
            found = self.each(symbol, len(intrinsics) + 1)
            return [n for k, n in enumerate(intrinsics, 1) if found[k] & 1]

        return dict(rules=rules, sources_of_divergence=those('_ZN4llvm6AMDGPU29isIntrinsicSourceOfDivergenceEj'),
                    always_uniform=those('_ZN4llvm6AMDGPU24isIntrinsicAlwaysUniformEj'),
                    divergent_copies=ranges(divergent), no_base_class=ranges(unknown), divergent_casts=[])

    def intrinsics(self):
        """Names of all intrinsics, from number 1 on."""
        lib = self.lib
        offsets = struct.unpack(f'<{lib.sizes["_ZL24IntrinsicNameOffsetTable"] // 4}I', lib.bytes('_ZL24IntrinsicNameOffsetTable'))
        data = lib.bytes('_ZL25IntrinsicNameTableStorage')
        return [text_at(data, at) for at in offsets[1:]]

    def banks(self):
        """[name, classes that the bank covers]; a bank is its number, its name, and words of bits."""
        lib = self.lib
        res = []
        for name in ('AGPR', 'SGPR', 'VCC', 'VGPR'):
            data = lib.bytes(f'_ZN4llvm6AMDGPUL{len(name) + 19}{name}RegBankCoverageDataE')
            bits = int.from_bytes(data, 'little')
            res.append([name, ranges([k for k in range(self.n_classes) if bits >> k & 1])])
        return res


class RegClass:
    pass


class PointerTables(Extractor):
    """LLVM 23 as AMD ships it: tables as in 22, whose rows point to names, and classes that point to what the assembler needs of them."""
    VERSION = '23.0.0git'
    NEW_TYPES = {}
    CLASSES = '_ZN4llvmL21AMDGPURegisterClassesE'
    CLASS_TYPE = '19TargetRegisterClass'
    SUB_REG_RANGE = '<HH'
    FEATURE_BYTES = 48
    SCHED_CLASS_SIZE = 14

    @staticmethod
    def sched_class(data):
        return struct.unpack('<7H', data)

    def class_addresses(self):
        first = self.lib.address(self.CLASSES)
        return [u64(first + k * 8) for k in range(self.n_classes)]

    def read_classes(self):
        lib = self.lib
        strings = lib.bytes('_ZN4llvm21AMDGPURegClassStringsE')
        sizes = lib.bytes('_ZN4llvmL19AMDGPURegClassInfosE')
        count = self.n_classes = lib.sizes[self.CLASSES] // 8
        words = (count + 31) // 32
        addresses = self.class_addresses()
        numbers = {a: k for k, a in enumerate(addresses)}
        classes = []
        for k, address in enumerate(addresses):
            of_assembler, mask, indices, lanes, priority, is_global, ts, disjunct, covered, above, n_above = struct.unpack(
                '<QQQQBBBBB3xQH', ctypes.string_at(address, 50))
            regs, _, name, n, _, number, bits, cost, allocatable, base = struct.unpack(
                '<QQIHHHHbBB', ctypes.string_at(of_assembler, 31))
            assert number == k, (number, k)
            c = RegClass()
            c.id = k
            c.name = text_at(strings, name)
            c.members = struct.unpack(f'<{n}H', ctypes.string_at(regs, n * 2))
            c.bits, c.cost, c.allocatable, c.base = bits, cost, bool(allocatable), bool(base)
            c.lanes, c.priority, c.is_global, c.ts = lanes, priority, bool(is_global), ts
            c.disjunct, c.covered = bool(disjunct), bool(covered)
            c.above = struct.unpack(f'<{n_above}I', ctypes.string_at(above, n_above * 4)) if n_above else ()

            def classes_of(nth):
                return [j for j in range(count) if u32(mask + (nth * words + j // 32) * 4) >> j % 32 & 1]

            c.below = classes_of(0)
            c.projections = []
            while index := u16(indices + len(c.projections) * 2):
                c.projections.append((index, classes_of(len(c.projections) + 1)))
            _, c.spill_bits, c.spill_align, _ = struct.unpack_from('<IIII', sizes, k * 16)
            classes.append(c)
        return classes

    def features(self):
        size = 24 + self.FEATURE_BYTES
        first = self.lib.address('_ZN4llvm15AMDGPUFeatureKVE')
        rows = []
        for at in range(first, first + self.lib.sizes['_ZN4llvm15AMDGPUFeatureKVE'], size):
            implied = int.from_bytes(ctypes.string_at(at + 24, self.FEATURE_BYTES), 'little')
            rows.append((cstring(u64(at)), cstring(u64(at + 8)), u32(at + 16), implied))
        self.bits_of_features = [r[2] for r in rows]
        return [[key, description, self.feature_list(implied)] for key, description, _, implied in rows]

    def processors(self):
        size = 16 + 2 * self.FEATURE_BYTES
        first = self.lib.address('_ZN4llvm15AMDGPUSubTypeKVE')
        models = {a: k for k, a in enumerate(self.model_addresses())}
        rows = []
        for at in range(first, first + self.lib.sizes['_ZN4llvm15AMDGPUSubTypeKVE'], size):
            implied, tuning = (int.from_bytes(ctypes.string_at(at + 8 + k * self.FEATURE_BYTES, self.FEATURE_BYTES), 'little') for k in (0, 1))
            rows.append([cstring(u64(at)), self.feature_list(implied), self.feature_list(tuning), models[u64(at + size - 8)]])
        return rows

    def model_addresses(self):
        """Of the processors, by their numbers."""
        size = 16 + 2 * self.FEATURE_BYTES
        first = self.lib.address('_ZN4llvm15AMDGPUSubTypeKVE')
        found = {u64(at + size - 8) for at in range(first, first + self.lib.sizes['_ZN4llvm15AMDGPUSubTypeKVE'], size)}
        return sorted(found, key=lambda a: u32(a + MODEL_NUMBER))


def document(e):
    """The tables in the packer's format."""
    res = dict(format=FORMAT, llvm=e.VERSION)
    res['sub_reg_indices'] = e.sub_reg_indices()
    res['reg_units'] = e.reg_units()
    classes = e.read_classes()
    res['regs'] = e.regs(classes)
    res['reg_masks'] = e.reg_masks()
    res['pressure_sets'] = e.pressure_sets()
    res['classes'] = e.classes(classes)
    res['instrs'] = e.instrs()
    res['features'] = e.feature_rows = e.features()
    res['cpus'] = e.processor_rows = e.processors()
    res['sched_models'] = e.sched_models()
    # Rows of the table of classes by mode: one more than the largest that an operand asks for.
    rows = 1 + max(o[k] for o in res['instrs']['operand_lists'] for k in range(0, len(o), 5) if o[k + 1] & 1)
    res.update(e.states(rows))
    res['banks'] = e.banks()
    res['default_sched_model'] = 0
    res['sched_variants'] = e.sched_variants(classes, res['sched_models'], res['states'], res['mode_tables'])
    res['uniformity'] = e.uniformity()
    e.add_aliases(res)
    return res


def main():
    with open(sys.argv[2]) as f:
        facts22 = json.load(f)
    kind = Extractor if Extractor.CLASSES in Library.names(sys.argv[1]) else PointerTables
    json.dump(document(kind(sys.argv[1], facts22)), sys.stdout)


if __name__ == '__main__':
    main()
