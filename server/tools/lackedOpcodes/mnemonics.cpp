// Prints `OPCODE mnemonic` for each opcode of AMDGPU that is encoded.
#include "llvm-c/Target.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdio>
#include <memory>
#include <string>

int main() {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  std::string error;
  llvm::Triple triple("amdgcn-amd-amdhsa");
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> assembly(target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> opcodes(target->createMCInstrInfo());
  std::unique_ptr<llvm::MCInstPrinter> printer(
      target->createMCInstPrinter(triple, 0, *assembly, *opcodes, *registers));
  for (unsigned opcode = 0; opcode < opcodes->getNumOpcodes(); ++opcode) {
    if (opcodes->get(opcode).isPseudo())
      continue;
    llvm::MCInst instr;
    instr.setOpcode(opcode);
    const auto [mnemonic, bits] = printer->getMnemonic(instr);
    if (mnemonic != nullptr && bits != 0)
      printf("%s %s\n", opcodes->getName(opcode).str().c_str(), mnemonic);
  }
}
