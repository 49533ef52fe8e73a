"""Prints how the intrinsics of the library differ from those in server/src/ir/generated/intrinsicTable.ts, as server/src/target/llvm24/intrinsicChanges.ts.

usage: intrinsics.py LIBTRITON.so INTRINSICTABLE.ts >intrinsicChanges.ts

What a line of the table says: ../irIntrinsics. A descriptor is three words here, the kind first; the last one of a function with any number of arguments is
not in the list. An overloaded type says apart what its elements and what its shape may be.
"""
import ctypes
import re
import struct
import sys
from ctypes import c_bool, c_size_t, c_uint, c_void_p

from library import Library

OTHER_TARGETS = set('aarch64 arm avr bpf dx hexagon loongarch mips nvvm ppc riscv s390 spv ve wasm x86 xcore'.split())
DESCRIPTOR_SIZE = 12
MOST_DESCRIPTORS = 300
ROOM = 1 << 12
PLAIN = {0: 'v', 3: 't', 4: 'm', 5: 'h', 6: 'b', 7: 'f', 8: 'd', 9: 'q'}
INTEGER, VECTOR, POINTER, STRUCT, OVERLOAD, MATCH = 10, 11, 12, 13, 19, 20
OF_TYPE = {24: 'W', 25: 'e'}
ONE_NTH, POINTERS_TO_ELEMENTS = 23, 29
MATCH_TYPE = 7
# What 22.1.8 can say of an overloaded type, by elements and shape; the others begin behind MATCH_TYPE.
OLD_KINDS = {(0, 0): 0, (1, 0): 1, (2, 0): 2, (0, 1): 3, (3, 2): 4}
FIRST_NEW_KIND = 8


class StringRef(ctypes.Structure):
    _fields_ = [('data', c_void_p), ('length', c_size_t)]


class Signature(ctypes.Structure):
    _fields_ = [('is_variadic', c_bool), ('parameters', c_uint), ('data', c_void_p), ('count', c_size_t)]


def kind_of_overload(value):
    elements, shape = value >> 8 & 15, value >> 12 & 15
    return OLD_KINDS.get((elements, shape), FIRST_NEW_KIND + elements + 4 * shape)


def describe(kind, value, scalable):
    if kind in PLAIN:
        return PLAIN[kind]
    if kind == INTEGER:
        return f'i{value}'
    if kind == VECTOR:
        return ('s' if scalable & 1 else 'V') + str(value)
    if kind == POINTER:
        return f'p{value}'
    if kind == STRUCT:
        return f'S{value}'
    if kind == OVERLOAD:
        return f'A{value & 255}:{kind_of_overload(value)}'
    if kind == MATCH:
        return f'A{value & 255}:{MATCH_TYPE}'
    if kind in OF_TYPE:
        return f'{OF_TYPE[kind]}{value}'
    if kind == ONE_NTH:
        return f'N{value >> 16}:{value & 0xffff}'
    assert kind == POINTERS_TO_ELEMENTS, kind
    return f'P{value & 0xffff}:{value >> 16}'


class Intrinsics:
    def __init__(self, lib):
        self.count = lib.sizes['_ZL24IntrinsicNameOffsetTable'] // 4
        self.name_ = lib.function('_ZN4llvm9Intrinsic11getBaseNameEj', StringRef, c_uint)
        self.entries = lib.function('_ZN4llvm9Intrinsic28getIntrinsicInfoTableEntriesEjRNS_15SmallVectorImplINS0_13IITDescriptorEEE',
                                    Signature, c_uint, c_void_p)
        self.overloaded = lib.address('_ZZN4llvm9Intrinsic12isOverloadedEjE6OTable')
        self.attributes_ = lib.function('_ZN4llvm9Intrinsic13getAttributesERNS_11LLVMContextEjPNS_12FunctionTypeE', c_void_p,
                                        c_void_p, c_uint, c_void_p)
        self.function_type = lib.function('_ZN4llvm12FunctionType3getEPNS_4TypeENS_8ArrayRefIS2_EEb', c_void_p, c_void_p, c_void_p,
                                          c_size_t, c_bool)
        self.parts = [lib.function(f'_ZNK4llvm13AttributeList{name}Ev', c_void_p, c_void_p) for name in ('10getFnAttrs', '11getRetAttrs')]
        self.of_parameter = lib.function('_ZNK4llvm13AttributeList13getParamAttrsEj', c_void_p, c_void_p, c_uint)
        self.text_ = lib.function('_ZNK4llvm12AttributeSet11getAsStringB5cxx11Eb', c_void_p, c_void_p, c_void_p, c_bool)
        self.room = ctypes.create_string_buffer(ROOM)
        self.context = ctypes.create_string_buffer(ROOM)
        lib.function('_ZN4llvm11LLVMContextC2Ev', None, c_void_p)(ctypes.addressof(self.context))
        self.int32 = lib.function('_ZN4llvm4Type10getInt32TyERNS_11LLVMContextE', c_void_p, c_void_p)(ctypes.addressof(self.context))

    def name(self, number):
        found = self.name_(number)
        return ctypes.string_at(found.data, found.length).decode()[len('llvm.'):]

    def signature(self, number):
        """Its text, and the number of parameters."""
        vector = ctypes.create_string_buffer(16)
        struct.pack_into('<QII', vector, 0, ctypes.addressof(self.room), 0, MOST_DESCRIPTORS)
        found = self.entries(number, ctypes.addressof(vector))
        data = ctypes.string_at(found.data, found.count * DESCRIPTOR_SIZE)
        words = [describe(*struct.unpack_from('<III', data, k * DESCRIPTOR_SIZE)) for k in range(found.count)]
        is_overloaded = ctypes.c_uint8.from_address(self.overloaded + number // 8).value >> number % 8 & 1
        return ('*' if is_overloaded else '') + ' '.join(words + ['.'] * found.is_variadic), found.parameters

    def text(self, attributes):
        set_ = ctypes.c_uint64(attributes or 0)
        string = ctypes.create_string_buffer(64)
        self.text_(ctypes.addressof(string), ctypes.addressof(set_), False)
        data, length = struct.unpack_from('<QQ', string)
        return ctypes.string_at(data, length).decode()

    def attributes(self, number, parameters):
        # They depend on the number of parameters, and ranges on the type that they stand at: i32 here.
        types = (c_void_p * max(1, parameters))(*[self.int32] * parameters)
        kind = self.function_type(self.int32, ctypes.addressof(types), parameters, False)
        found = ctypes.c_uint64(self.attributes_(ctypes.addressof(self.context), number, kind) or 0)
        list_ = ctypes.addressof(found)
        parts = [self.text(part(list_)) for part in self.parts] + [self.text(self.of_parameter(list_, k)) for k in range(parameters)]
        while len(parts) > 1 and parts[-1] == '':
            parts.pop()
        return '|'.join(parts)


def table(path):
    text = open(path, encoding='utf8').read()
    names, signatures, attributes = (part.split('\n') for part in re.findall(r'=> `\n(.*?)\n`;', text, re.S))
    rows = [line.split(';') for line in names]
    return {name: (signatures[int(s)], attributes[int(a)]) for name, s, a in rows}


def main(library, known):
    intrinsics = Intrinsics(Library(library))
    old, new = table(known), {}
    for number in range(1, intrinsics.count):
        name = intrinsics.name(number)
        if name.split('.', 1)[0] not in OTHER_TARGETS:
            signature, parameters = intrinsics.signature(number)
            new[name] = (signature, intrinsics.attributes(number, parameters))
    lines = [name for name in old if name not in new]
    for name, facts in new.items():
        was = old.get(name)
        if facts != was:
            # What is as it was is not repeated.
            lines.append(';'.join([name] + ['=' if was and was[k] == facts[k] else facts[k] for k in range(2)]))
    print('/** Made by server/tools/gen24.sh from LLVM 24.0.0git. Do not edit. */\n')
    print('/** `NAME` of an intrinsic that is gone, `NAME;SIGNATURE;ATTRIBUTES` of one that is new or another; `=`: as in intrinsicTable.ts */')
    print('export const INTRINSIC_CHANGES = (): string => `')
    print('\n'.join(sorted(lines)))
    print('`;')


main(*sys.argv[1:])
