"""Functions of LLVM IR with their subtargets and machine functions, made through symbols of the library; objects are opaque memory."""
import ctypes
from ctypes import c_char_p, c_int, c_size_t, c_uint, c_void_p

# Names of calling conventions as IR spells them, "" the default one, with parameters and their numbers.
CONVENTIONS = [
    ('amdgpu_kernel', '', 91), ('spir_kernel', '', 76), ('', '', 0), ('fastcc', '', 8), ('coldcc', '', 9), ('amdgpu_gfx', '', 100),
    ('amdgpu_gfx_whole_wave', 'i1 %active', 124), ('amdgpu_cs', '', 90), ('amdgpu_cs_chain', '', 104),
    ('amdgpu_cs_chain_preserve', '', 105), ('amdgpu_vs', '', 87), ('amdgpu_ps', '', 89), ('amdgpu_gs', '', 88), ('amdgpu_hs', '', 93),
    ('amdgpu_es', '', 96), ('amdgpu_ls', '', 95),
]
# Of AMDGCN in LLVM 24; a machine function is refused where its module has another.
DATA_LAYOUT = ('e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-'
               'i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9')
DEFAULT_OPT_LEVEL = 2
# More than any class that is made here.
ROOM = 1 << 16


def storage():
    return ctypes.create_string_buffer(ROOM)


class Machine:
    """One target machine for a triple; a subtarget is chosen by the attributes of a function."""

    def __init__(self, lib, triple):
        self.lib = lib
        self.keep = []
        for part in ('TargetInfo', 'Target', 'TargetMC'):
            lib.function(f'LLVMInitializeAMDGPU{part}', None)()
        self._made('_ZN4llvm7codegen20RegisterCodeGenFlagsC2Ev')
        self.context = self._made('_ZN4llvm11LLVMContextC2Ev')
        self.triple = triple
        result = storage()
        self.keep.append(result)
        by_object = '_ZN4llvm7codegen28createTargetMachineForTripleERKNS_6TripleENS_15CodeGenOptLevelE'
        if by_object in lib.symbols:
            lib.function(by_object, c_void_p, c_void_p, c_void_p, c_int)(ctypes.addressof(result), self._triple(triple), DEFAULT_OPT_LEVEL)
        else:
            lib.function('_ZN4llvm7codegen28createTargetMachineForTripleENS_9StringRefENS_15CodeGenOptLevelE', c_void_p, c_void_p,
                         c_char_p, c_size_t, c_int)(ctypes.addressof(result), triple.encode(), len(triple), DEFAULT_OPT_LEVEL)
        self.target_machine = ctypes.c_uint64.from_buffer(result).value
        self.get_subtarget = lib.function('_ZNK4llvm16GCNTargetMachine16getSubtargetImplERKNS_8FunctionE', c_void_p, c_void_p,
                                          c_void_p)

    def _made(self, constructor, *arguments):
        object_ = storage()
        self.keep.append(object_)
        kinds = [c_void_p] + [type(a) for a in arguments]
        self.lib.function(constructor, None, *kinds)(ctypes.addressof(object_), *arguments)
        return ctypes.addressof(object_)

    def _triple(self, text):
        # A std::string of libstdc++: its data, its length, room for short ones.
        data = ctypes.create_string_buffer(text.encode())
        string = storage()
        ctypes.c_uint64.from_buffer(string, 0).value = ctypes.addressof(data)
        ctypes.c_uint64.from_buffer(string, 8).value = len(text)
        ctypes.c_uint64.from_buffer(string, 16).value = len(text)
        self.keep += [data, string]
        name = self.lib.one('_ZN4llvm6TripleC2EONSt7__cxx1112basic_string')
        return self._made(name, c_void_p(ctypes.addressof(string)))

    def functions(self, cpu, features):
        """IR functions f0, f1, ... one for each calling convention."""
        attributes = f'"target-cpu"="{cpu}" ' if cpu else ''
        attributes += f'"target-features"="{features}"'
        text = f'target datalayout = "{DATA_LAYOUT}"\ntarget triple = "{self.triple}"\n' + ''.join(
            f'define {name} void @f{k}({args}) {attributes} {{ unreachable }}\n' for k, (name, args, _) in enumerate(CONVENTIONS))
        data = ctypes.create_string_buffer(text.encode())
        result, diagnostic = storage(), storage()
        self.keep += [data, result, diagnostic]
        parse = self.lib.one('_ZN4llvm19parseAssemblyStringE')
        self.lib.function(parse, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p)(
            ctypes.addressof(result), ctypes.addressof(data), len(text), ctypes.addressof(diagnostic), self.context, None, None)
        module = ctypes.c_uint64.from_buffer(result).value
        assert module != 0, f'the sample module for {cpu} was refused'
        get = self.lib.function('_ZNK4llvm6Module11getFunctionENS_9StringRefE', c_void_p, c_void_p, c_char_p, c_size_t)
        found = []
        for k in range(len(CONVENTIONS)):
            name = f'f{k}'.encode()
            found.append(get(module, name, len(name)))
        return found

    def machine_functions(self, functions):
        """Machine functions of these IR functions."""
        info = self._made('_ZN4llvm17MachineModuleInfoC2EPKNS_13TargetMachineE', c_void_p(self.target_machine))
        make = self.lib.function('_ZN4llvm17MachineModuleInfo26getOrCreateMachineFunctionERNS_8FunctionE', c_void_p, c_void_p, c_void_p)
        return [make(info, f) for f in functions]

    def subtarget(self, cpu, features):
        return self.get_subtarget(self.target_machine, self.functions(cpu, features)[0])
