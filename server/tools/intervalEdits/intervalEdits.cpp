// Edits functions of a MIR file as a script says and prints, after each edit, what LLVM makes of their live intervals. For comparing.
// usage: intervalEdits TRIPLE CPU FILE.mir SCRIPT    SCRIPT: a line for each function, edits separated by `;`
//   m B F T   the F-th instruction of block B moves in front of the T-th (LiveIntervals::handleMove)
//   u B I K   operand K of an instruction becomes undef, and its register shrinks to its uses
//   d B I K   what operand K of an instruction defines goes (LiveIntervals::removeVRegDefAt); the instruction stays
//   s V       the values of virtual register V that are not connected become registers of their own
// or damages that are taken back, each with what the verifier says of it:
//   S|E|V V P N I T   the start or end of segment N of part P (0: the whole) of virtual register V, or where its value is defined, becomes slot T of
//                     the I-th index; with P = -1 V is a register unit
//   R V P N           without that segment
//   P|W V             virtual register V has no parts, or lives nowhere (computed anew behind it)
//   N                 nothing is wrong
//   K|D B I K         operand K of an instruction is flagged as kill or dead
// Instructions count within their block, from 0, without those of debug info.
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MachinePassManager.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <optional>
#include <sstream>
using namespace llvm;

extern "C" void LLVMInitializeAMDGPUTarget();
extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();

static int fail(const Twine &Why) {
  errs() << Why << '\n';
  return 1;
}

const char *const PLACES[] = {"- function:", "- basic block:", "- instruction:", "- operand "};

class Editor {
  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const TargetRegisterInfo &TRI;
  LiveIntervals &LIS;

  MachineBasicBlock::iterator place(unsigned Block, unsigned Number) {
    MachineBasicBlock &MBB = *MF.getBlockNumbered(Block);
    auto I = MBB.begin();
    for (;; ++I) {
      if (I == MBB.end())
        return I;
      if (I->isDebugInstr())
        continue;
      if (Number-- == 0)
        return I;
    }
  }

public:
  Editor(MachineFunction &MF, LiveIntervals &LIS)
      : MF(MF), MRI(MF.getRegInfo()), TRI(*MF.getSubtarget().getRegisterInfo()), LIS(LIS) {
    for (unsigned Unit = 0; Unit != TRI.getNumRegUnits(); ++Unit)
      if (!MRI.isReservedRegUnit(static_cast<MCRegUnit>(Unit)))
        LIS.getRegUnit(static_cast<MCRegUnit>(Unit));
  }

  void edit(const std::string &What) {
    std::istringstream Words(What);
    char Kind;
    unsigned A = 0, B = 0, C = 0;
    Words >> Kind >> A >> B >> C;
    if (Kind == 'm') {
      auto From = place(A, B), To = place(A, C);
      MachineBasicBlock &MBB = *From->getParent();
      MBB.splice(To, &MBB, From);
      LIS.handleMove(*From, true);
    } else if (Kind == 'u') {
      MachineOperand &MO = place(A, B)->getOperand(C);
      MO.setIsUndef();
      SmallVector<MachineInstr *, 8> Dead;
      LIS.shrinkToUses(&LIS.getInterval(MO.getReg()), &Dead);
    } else if (Kind == 'd') {
      MachineInstr &MI = *place(A, B);
      MachineOperand &MO = MI.getOperand(C);
      LIS.removeVRegDefAt(LIS.getInterval(MO.getReg()), LIS.getInstructionIndex(MI).getRegSlot(MO.isEarlyClobber()));
    } else if (Kind == 's') {
      SmallVector<LiveInterval *, 8> Made;
      LIS.splitSeparateComponents(LIS.getInterval(Register::index2VirtReg(A)), Made);
    }
  }

  /** What the verifier complains of, without the lines that say where. */
  void verify(raw_ostream &O) {
    std::string Text;
    raw_string_ostream Stream(Text);
    MF.verify(&LIS, LIS.getSlotIndexes(), nullptr, &Stream, false);
    std::istringstream Lines(Text);
    bool IsReport = false;
    for (std::string Line; std::getline(Lines, Line);) {
      StringRef Rest(Line);
      if (Rest.consume_front("*** Bad machine code: ")) {
        IsReport = true;
        O << Rest.drop_back(4) << '\n';
      } else if (IsReport && !Rest.empty() && !any_of(PLACES, [&](const char *P) { return Rest.starts_with(P); }))
        O << "  " << Rest << '\n';
    }
  }

  LiveRange *rangeOf(unsigned Number, unsigned Part) {
    if (Part == ~0u)
      return &LIS.getRegUnit(static_cast<MCRegUnit>(Number));
    LiveInterval &LI = LIS.getInterval(Register::index2VirtReg(Number));
    LiveRange *Range = &LI;
    for (LiveInterval::SubRange &SR : LI.subranges()) {
      if (Part-- == 0)
        break;
      Range = &SR;
    }
    return Range;
  }

  void damage(const std::string &What, raw_ostream &O) {
    std::istringstream Words(What);
    char Kind;
    unsigned A = 0, B = 0, C = 0, Index = 0, Slot = 0;
    Words >> Kind >> A >> B >> C >> Index >> Slot;
    if (Kind == 'N') {
      verify(O);
      return;
    }
    if (Kind == 'K' || Kind == 'D') {
      MachineOperand &MO = place(A, B)->getOperand(C);
      bool Was = Kind == 'K' ? MO.isKill() : MO.isDead();
      Kind == 'K' ? MO.setIsKill() : MO.setIsDead();
      verify(O);
      Kind == 'K' ? MO.setIsKill(Was) : MO.setIsDead(Was);
      return;
    }
    if (Kind == 'P' || Kind == 'W') {
      Register Reg = Register::index2VirtReg(A);
      LiveInterval &LI = LIS.getInterval(Reg);
      LI.clearSubRanges();
      if (Kind == 'W')
        LI.clear();
      verify(O);
      LIS.removeInterval(Reg);
      LIS.createAndComputeVirtRegInterval(Reg);
      return;
    }
    LiveRange *Range = rangeOf(A, B);
    LiveRange::Segment &Segment = Range->segments[C];
    LiveRange::Segment Was = Segment;
    SlotIndex WasDef = Segment.valno->def;
    SlotIndex To = LIS.getSlotIndexes()->getZeroIndex();
    while (Index--)
      To = To.getNextIndex();
    To = Slot == 0 ? To.getBaseIndex() : Slot == 3 ? To.getDeadSlot() : To.getRegSlot(Slot == 1);
    if (Kind == 'S')
      Segment.start = To;
    else if (Kind == 'E')
      Segment.end = To;
    else if (Kind == 'V')
      Segment.valno->def = To;
    else
      Range->segments.erase(Range->segments.begin() + C);
    verify(O);
    if (Kind == 'R')
      Range->segments.insert(Range->segments.begin() + C, Was);
    else
      Segment = Was;
    Was.valno->def = WasDef;
  }

  void print(raw_ostream &O) {
    for (unsigned V = 0; V != MRI.getNumVirtRegs(); ++V) {
      Register Reg = Register::index2VirtReg(V);
      if (!LIS.hasInterval(Reg))
        continue;
      std::string Text;
      raw_string_ostream Line(Text);
      LIS.getInterval(Reg).print(Line);
      O << Text.substr(0, Text.find("  weight:")) << '\n';
    }
    for (unsigned Unit = 0; Unit != TRI.getNumRegUnits(); ++Unit) {
      LiveRange *Range = LIS.getCachedRegUnit(static_cast<MCRegUnit>(Unit));
      if (Range && !Range->empty())
        O << "unit " << Unit << ' ' << *Range << '\n';
    }
    // Flags of the operands of registers, which edits change, too.
    for (MachineBasicBlock &MBB : MF)
      for (MachineInstr &MI : MBB) {
        O << ' ';
        for (MachineOperand &MO : MI.operands())
          if (MO.isReg() && MO.getReg())
            O << (MO.isUndef() ? 'u' : MO.isDef() ? (MO.isDead() ? 'd' : 'w') : MO.isKill() ? 'k' : 'r');
      }
    O << '\n';
  }
};

int main(int argc, char **argv) {
  if (argc != 5)
    return fail("usage: intervalEdits TRIPLE CPU FILE.mir SCRIPT");
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  std::string Why;
  Triple TT(argv[1]);
  const Target *T = TargetRegistry::lookupTarget(TT, Why);
  if (!T)
    return fail(Why);
  std::unique_ptr<TargetMachine> TM(T->createTargetMachine(TT, argv[2], "", TargetOptions(), std::nullopt));
  auto File = MemoryBuffer::getFile(argv[3]);
  auto Script = MemoryBuffer::getFile(argv[4]);
  if (!File || !Script)
    return fail("cannot read the files");
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
  MachineFunctionAnalysisManager Analyses;
  Analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  Analyses.registerPass([] { return SlotIndexesAnalysis(); });
  Analyses.registerPass([] { return MachineDominatorTreeAnalysis(); });
  Analyses.registerPass([] { return LiveIntervalsAnalysis(); });
  std::istringstream Lines((*Script)->getBuffer().str());
  std::string Line;
  for (Function &F : *M) {
    MachineFunction *MF = MMI.getMachineFunction(F);
    if (!MF || !std::getline(Lines, Line))
      continue;
    MF->getRegInfo().freezeReservedRegs();
    outs() << "function " << F.getName() << '\n';
    Editor E(*MF, Analyses.getResult<LiveIntervalsAnalysis>(*MF));
    E.print(outs());
    std::istringstream Edits(Line);
    for (std::string Edit; std::getline(Edits, Edit, ';');) {
      outs() << "edit " << Edit << '\n';
      if (isUpper(Edit[0])) {
        E.damage(Edit, outs());
        continue;
      }
      E.edit(Edit);
      E.print(outs());
    }
  }
  return 0;
}
