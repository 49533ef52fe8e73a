#!/usr/bin/env python3
"""Prints what LLVM 24 says of registers and waves, for test/unit/target/llvm24.test.ts.

usage: occupancy.py LIBTRITON.so FACTS24.json >test/fixtures/target/occupancy24.json    (FACTS24: what extract.py prints)

{"CPU FEATURES": index in "facts"}; facts: waves, steps of the waves that VGPRs and SGPRs allow [first count, waves, ...], and by waves from 1 on the most and
fewest VGPRs and SGPRs; addressable and total VGPRs; most work groups of a CU by their size.
"""
import json
import sys
from ctypes import c_bool, c_uint, c_void_p

from library import Library
from machine import Machine

WAVE_SIZES = ['', '+wavefrontsize32', '+wavefrontsize64']
MOST_VGPRS, MOST_SGPRS = 1030, 121
GROUP_SIZES = [1, 32, 64, 65, 128, 256, 1000, 1024]


def steps(values):
    res = []
    for n, value in enumerate(values):
        if n == 0 or value != values[n - 1]:
            res += [n, value]
    return res


def main():
    lib = Library(sys.argv[1])
    machine = Machine(lib, 'amdgcn-amd-amdhsa')
    with open(sys.argv[2]) as f:
        cpus = [''] + [row[0] for row in json.load(f)['cpus']]

    def subtarget_function(name, code, *kinds):
        return lib.function(f'_ZNK4llvm12GCNSubtarget{len(name)}{name}E{code}', c_uint, c_void_p, *kinds)

    def isa_function(name, code, *kinds):
        return lib.function(f'_ZN4llvm6AMDGPU7IsaInfo{len(name)}{name}ERKNS_15MCSubtargetInfoE{code}', c_uint, c_void_p, *kinds)

    by_vgprs = subtarget_function('getOccupancyWithNumVGPRs', 'jj', c_uint, c_uint)
    by_sgprs = subtarget_function('getOccupancyWithNumSGPRs', 'j', c_uint)
    waves = isa_function('getMaxWavesPerEU', '')
    most_vgprs = isa_function('getMaxNumVGPRs', 'jj', c_uint, c_uint)
    fewest_vgprs = isa_function('getMinNumVGPRs', 'jj', c_uint, c_uint)
    most_sgprs = isa_function('getMaxNumSGPRs', 'jb', c_uint, c_bool)
    fewest_sgprs = isa_function('getMinNumSGPRs', 'j', c_uint)
    addressable = isa_function('getAddressableNumVGPRs', 'j', c_uint)
    total = isa_function('getTotalNumVGPRs', '')
    groups = isa_function('getMaxWorkGroupsPerCU', 'j', c_uint)
    facts, of = [], {}
    for cpu in cpus:
        for features in WAVE_SIZES:
            s = machine.subtarget(cpu, features)
            counts = range(1, waves(s) + 1)
            here = dict(
                waves=waves(s), byVGPRs=steps([by_vgprs(s, n, 0) for n in range(MOST_VGPRS)]),
                bySGPRs=steps([by_sgprs(s, n) for n in range(MOST_SGPRS)]), mostVGPRs=[most_vgprs(s, n, 0) for n in counts],
                fewestVGPRs=[fewest_vgprs(s, n, 0) for n in counts], mostSGPRs=[most_sgprs(s, n, True) for n in counts],
                fewestSGPRs=[fewest_sgprs(s, n) for n in counts], addressable=addressable(s, 0), total=total(s),
                groups=[groups(s, n) for n in GROUP_SIZES])
            if here not in facts:
                facts.append(here)
            of[f'{cpu} {features}'] = facts.index(here)
    json.dump(dict(of=of, facts=facts), sys.stdout)


if __name__ == '__main__':
    main()
