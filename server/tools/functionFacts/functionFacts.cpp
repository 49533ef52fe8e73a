// Prints what LLVM says of the registers of each function of a MIR file: reserved ones, callee-saved ones, costs, the allocation order of each class and
// what it may be widened to, and what calls preserve. For comparing; one JSON object per line. Registers are numbers of the target's enumeration.
// usage: functionFacts TRIPLE FILE.mir [COSTS]    COSTS: a file of one byte per register, written over the target's table of costs
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/RegisterClassInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <optional>
#include <sys/mman.h>
using namespace llvm;

extern "C" void LLVMInitializeAMDGPUTarget();
extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();

static int fail(const Twine &Why) {
  errs() << Why << '\n';
  return 1;
}

static bool overwrite(ArrayRef<uint8_t> Table, StringRef Costs) {
  if (Table.size() != Costs.size())
    return false;
  uintptr_t From = reinterpret_cast<uintptr_t>(Table.data()) & ~uintptr_t(4095);
  uintptr_t To = (reinterpret_cast<uintptr_t>(Table.data()) + Table.size() + 4095) & ~uintptr_t(4095);
  if (mprotect(reinterpret_cast<void *>(From), To - From, PROT_READ | PROT_WRITE))
    return false;
  memcpy(const_cast<uint8_t *>(Table.data()), Costs.data(), Costs.size());
  return true;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return fail("usage: functionFacts TRIPLE FILE.mir [COSTS]");
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  std::string Why;
  Triple TT(argv[1]);
  const Target *T = TargetRegistry::lookupTarget(TT, Why);
  if (!T)
    return fail(Why);
  std::unique_ptr<TargetMachine> TM(T->createTargetMachine(TT, "", "", TargetOptions(), std::nullopt));
  auto File = MemoryBuffer::getFile(argv[2]);
  if (!File)
    return fail("cannot read the file");
  LLVMContext Context;
  auto Parser = createMIRParser(std::move(*File), Context);
  auto M = Parser->parseIRModule();
  if (!M)
    return fail("cannot read the IR");
  M->setTargetTriple(TT);
  M->setDataLayout(TM->createDataLayout());
  MachineModuleInfo MMI(TM.get());
  if (Parser->parseMachineFunctions(*M, MMI))
    return fail("cannot read the functions");
  std::unique_ptr<MemoryBuffer> Costs;
  if (argc > 3) {
    auto Buffer = MemoryBuffer::getFile(argv[3]);
    if (!Buffer)
      return fail("cannot read the costs");
    Costs = std::move(*Buffer);
  }
  for (Function &F : *M) {
    MachineFunction *MF = MMI.getMachineFunction(F);
    if (!MF)
      continue;
    MachineRegisterInfo &MRI = MF->getRegInfo();
    const TargetRegisterInfo &TRI = *MF->getSubtarget().getRegisterInfo();
    if (Costs) {
      if (!overwrite(TRI.getRegisterCosts(*MF), Costs->getBuffer()))
        return fail("the costs do not fit");
      Costs.reset();
    }
    MRI.freezeReservedRegs();
    RegisterClassInfo RCI;
    RCI.runOnMachineFunction(*MF);
    raw_ostream &O = outs();
    O << "{\"name\":\"" << F.getName() << "\",\"reserved\":[";
    const char *Comma = "";
    for (unsigned R : MRI.getReservedRegs().set_bits()) {
      O << Comma << R;
      Comma = ",";
    }
    unsigned Dear = 0;
    for (uint8_t C : TRI.getRegisterCosts(*MF))
      Dear += C != 0;
    O << "],\"nCosts\":" << Dear << ",\"saved\":[";
    Comma = "";
    for (const MCPhysReg *R = MRI.getCalleeSavedRegs(); R && *R; ++R) {
      O << Comma << *R;
      Comma = ",";
    }
    const uint32_t *Mask = TRI.getCallPreservedMask(*MF, F.getCallingConv());
    O << "],\"mask\":\"";
    ArrayRef<const uint32_t *> Masks = TRI.getRegMasks();
    for (unsigned I = 0; I != Masks.size(); ++I)
      if (Masks[I] == Mask)
        O << StringRef(TRI.getRegMaskNames()[I]).lower();
    O << "\",\"classes\":[";
    Comma = "";
    for (const TargetRegisterClass *RC : TRI.regclasses()) {
      if (!RC->isAllocatable())
        continue;
      O << Comma << "[" << RC->getID() << "," << unsigned(RCI.getMinCost(RC)) << "," << RCI.getLastCostChange(RC) << ","
        << TRI.getLargestLegalSuperClass(RC, *MF)->getID() << ",[";
      Comma = "";
      for (MCPhysReg R : RCI.getOrder(RC)) {
        O << Comma << R;
        Comma = ",";
      }
      O << "]]";
      Comma = ",";
    }
    O << "]}\n";
  }
  return 0;
}
