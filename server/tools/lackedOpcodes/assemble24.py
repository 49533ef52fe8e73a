"""Assembles the lines of standard input as LLVM 24 does: the library of triton's wheel, whose messages go to standard error.

usage: assemble24.py TRIPLE CPU FEATURES, with the Python that has the wheel
"""
import sys

from triton._C.libtriton import amd, llvm

llvm.init_targets()
try:
    amd.assemble_amdgcn(sys.stdin.read(), *sys.argv[1:4])
except RuntimeError:
    pass  # What was wrong has been said.
