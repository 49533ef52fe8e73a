// Prints one line per intrinsic that AMDGPU code can name: `MEMORY CONVERGENT NAME`, each flag 0 or 1. See build.sh.
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

int main() {
  static const char *const Targets[] = {"aarch64", "arm",   "bpf", "dx",  "hexagon", "loongarch", "mips", "nvvm", "ppc",
                                        "r600",    "riscv", "s390", "spv", "ve",      "wasm",      "x86",  "xcore"};
  LLVMContext Context;
  for (unsigned ID = 1; ID < Intrinsic::num_intrinsics; ++ID) {
    StringRef Name = Intrinsic::getBaseName(ID);
    StringRef Rest = Name;
    Rest.consume_front("llvm.");
    StringRef Prefix = Rest.split('.').first;
    bool IsOther = false;
    for (const char *T : Targets)
      IsOther |= Prefix == T;
    if (IsOther)
      continue;
    AttributeSet Attrs = Intrinsic::getFnAttributes(Context, ID);
    outs() << !Attrs.getMemoryEffects().doesNotAccessMemory() << ' ' << Attrs.hasAttribute(Attribute::Convergent) << ' '
           << Name << '\n';
  }
}
