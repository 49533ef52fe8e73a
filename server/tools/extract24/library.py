"""A shared library of LLVM's whose private symbols can be called and read: by name, from its .symtab.

The library of the wheel of triton is not stripped, so that tables and functions that no header declares have addresses: the place where it
is loaded, and the symbol's value.
"""
import ctypes
import struct
import subprocess


class Library:
    def __init__(self, path):
        self.dll = ctypes.CDLL(path)
        self.symbols = {}
        self.sizes = {}
        self._read_symbols(path)
        anchor = 'LLVMParseIRInContext2'
        self.base = ctypes.cast(getattr(self.dll, anchor), ctypes.c_void_p).value - self.symbols[anchor]

    def _read_symbols(self, path):
        with open(path, 'rb') as f:
            header = f.read(64)
            shoff, = struct.unpack_from('<Q', header, 40)
            shentsize, shnum, _ = struct.unpack_from('<HHH', header, 58)
            f.seek(shoff)
            table = f.read(shentsize * shnum)
            sections = [struct.unpack_from('<IIQQQQIIQQ', table, i * shentsize) for i in range(shnum)]
            symtab = next(s for s in sections if s[1] == 2)
            strtab = sections[symtab[6]]
            f.seek(symtab[4])
            data = f.read(symtab[5])
            f.seek(strtab[4])
            strings = f.read(strtab[5])
        for name, info, _, shndx, value, size in struct.iter_unpack('<IBBHQQ', data):
            if shndx == 0 or info & 15 not in (1, 2, 10):
                continue
            end = strings.index(b'\0', name)
            text = strings[name:end].decode()
            self.symbols.setdefault(text, value)
            self.sizes.setdefault(text, size)

    @staticmethod
    def names(path):
        """Names of all symbols of a library, without loading it."""
        return set(subprocess.run(['nm', '-j', path], capture_output=True, text=True, check=True).stdout.split('\n'))

    def address(self, name):
        return self.base + self.symbols[name]

    def find(self, *parts):
        """Mangled names that have all the parts; not those of a compiler's copies (`.localalias`)."""
        return [n for n in self.symbols if '.' not in n and all(p in n for p in parts)]

    def one(self, *parts):
        found = self.find(*parts)
        if len(found) != 1:
            raise KeyError(f'{parts}: {len(found)} symbols: {found[:5]}')
        return found[0]

    def bytes(self, name):
        return ctypes.string_at(self.address(name), self.sizes[name])

    def function(self, name, result, *arguments):
        return ctypes.CFUNCTYPE(result, *arguments)(self.address(name))


def demangled(names):
    out = subprocess.run(['c++filt'], input='\n'.join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, out.split('\n')))


def cstring(address):
    return ctypes.string_at(address).decode()


def u64(address):
    return ctypes.c_uint64.from_address(address).value


def u32(address):
    return ctypes.c_uint32.from_address(address).value


def u16(address):
    return ctypes.c_uint16.from_address(address).value
