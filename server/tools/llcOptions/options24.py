"""Prints the options and passes that the library of LLVM 24 has registered, as dump.cpp prints those of an llc, in the order of its table.

    python options24.py LIBTRITON.so DUMP.so
"""
import ctypes
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'extract24'))
from library import Library, u32, u64  # noqa: E402


def main(path, dump_path):
    ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    library = Library(path)
    dump = ctypes.CDLL(dump_path)
    library.dll.LLVMParseCommandLineOptions(1, (ctypes.c_char_p * 1)(b'llc'), b'')
    initialize = library.function('LLVMInitializeAMDGPUTarget', None)
    initialize()
    top = library.function(library.one('_ZN4llvm2cl10SubCommand11getTopLevelEv'), ctypes.c_void_p)()
    table = library.function('_ZN4llvm2cl20getRegisteredOptionsERNS0_10SubCommandE', ctypes.c_void_p, ctypes.c_void_p)(top)
    # DenseMap of LLVM 24 with checks: epoch, buckets, which of them are used, how many entries, how many buckets.
    buckets, used, count = u64(table + 8), u64(table + 16), u32(table + 28)
    assert u32(table + 24) < count == 4096, 'the table has another layout'
    for i in range(count):
        if not u32(used + i // 32 * 4) >> i % 32 & 1:
            continue
        key = buckets + i * 24
        name = ctypes.string_at(u64(key), u64(key + 8))
        option = ctypes.c_void_p(u64(key + 16))
        dump.dumpOption(ctypes.c_char_p(name), ctypes.c_size_t(len(name)), option)
    dump.dumpPasses()


main(*sys.argv[1:])
