// Scheduling models, and what variant scheduling classes resolve to.
#include "extract.h"
#include "operandNames.h"
#include "private.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/CodeGen/TargetSchedule.h"
#include "llvm/MC/MCSchedule.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;
using namespace extract;

static void writeModel(json::OStream &J, const MCSchedModel &M, const MCSubtargetInfo &STI) {
  J.attribute("id", M.ProcID);
  J.attribute("issue_width", M.IssueWidth);
  J.attribute("micro_op_buffer_size", M.MicroOpBufferSize);
  J.attribute("load_latency", M.LoadLatency);
  J.attribute("high_latency", M.HighLatency);
  J.attribute("mispredict_penalty", M.MispredictPenalty);
  J.attribute("post_ra", M.PostRAScheduler);
  J.attribute("complete", M.CompleteModel);
  J.attribute("intervals", M.EnableIntervals);
  bool Have = M.hasInstrSchedModel();
  // [name, units, super resource, buffer size]
  J.attributeArray("resources", [&] {
    for (unsigned I = 0; Have && I < M.getNumProcResourceKinds(); ++I)
      J.array([&] {
        const MCProcResourceDesc *R = M.getProcResource(I);
        J.value(R->Name);
        J.value(R->NumUnits);
        J.value(R->SuperIdx);
        J.value(R->BufferSize);
      });
  });
  // null (invalid), "variant", or [micro-ops, flags, [resource, release, acquire, ...], [cycles, write, ...],
  // [use, write, cycles, ...]]; flags: 1 begin group, 2 end group, 4 retires out of order
  J.attributeArray("classes", [&] {
    for (unsigned I = 0; Have && I < M.NumSchedClasses; ++I) {
      const MCSchedClassDesc *C = M.getSchedClassDesc(I);
      if (!C->isValid()) {
        J.value(nullptr);
        continue;
      }
      if (C->isVariant()) {
        J.value("variant");
        continue;
      }
      J.array([&] {
        J.value(unsigned(C->NumMicroOps));
        J.value(int(C->BeginGroup) | int(C->EndGroup) << 1 | int(C->RetireOOO) << 2);
        J.array([&] {
          for (auto *W = STI.getWriteProcResBegin(C), *E = STI.getWriteProcResEnd(C); W != E; ++W) {
            J.value(W->ProcResourceIdx);
            J.value(W->ReleaseAtCycle);
            J.value(W->AcquireAtCycle);
          }
        });
        J.array([&] {
          for (unsigned D = 0; D < C->NumWriteLatencyEntries; ++D) {
            const MCWriteLatencyEntry *L = STI.getWriteLatencyEntry(C, D);
            J.value(L->Cycles);
            J.value(L->WriteResourceID);
          }
        });
        J.array([&] {
          for (const MCReadAdvanceEntry &A : STI.getReadAdvanceEntries(*C)) {
            J.value(A.UseIdx);
            J.value(A.WriteResourceID);
            J.value(A.Cycles);
          }
        });
      });
    }
  });
}

/// Operands whose value decides what a variant class resolves to.
static bool decides(StringRef Name) {
  return Name == "cbsz" || Name == "blgp" || Name == "matrix_a_fmt" || Name == "matrix_b_fmt";
}
static const unsigned NumValues = 8;

/// The rules are code in the library, so sample instructions are made and asked: COPY for each destination class, and
/// for each other opcode all small values of the operands that decide.
static void writeVariants(json::OStream &J, MachineFunction &MF) {
  const TargetSubtargetInfo &ST = MF.getSubtarget();
  const TargetInstrInfo &TII = *ST.getInstrInfo();
  const TargetRegisterInfo &TRI = *ST.getRegisterInfo();
  TargetSchedModel SM;
  SM.init(&ST);
  const MCSchedModel &M = *SM.getMCSchedModel();
  MachineRegisterInfo &MRI = MF.getRegInfo();
  MachineBasicBlock &MBB = MF.front();
  auto Resolve = [&](const MachineInstr &MI) { return int(SM.resolveSchedClass(&MI) - M.SchedClassTable); };
  J.attribute("sched_model", M.ProcID);
  // [destination class, resolved class, ...]
  J.attributeArray("copy", [&] {
    for (const TargetRegisterClass *RC : TRI.regclasses()) {
      if (!RC->isAllocatable())
        continue;
      MachineInstr *MI = BuildMI(MBB, MBB.begin(), DebugLoc(), TII.get(TargetOpcode::COPY),
                                 MRI.createVirtualRegister(RC))
                             .addReg(MRI.createVirtualRegister(RC));
      J.value(RC->getID());
      J.value(Resolve(*MI));
      MI->eraseFromParent();
    }
  });
  // [opcode, deciding operands, classes]: one class if nothing decides, else NumValues ^ operands classes, the first
  // operand's value counting fastest
  J.attributeArray("others", [&] {
    for (unsigned Op = TargetOpcode::GENERIC_OP_END + 1; Op < TII.getNumOpcodes(); ++Op) {
      const MCInstrDesc &D = TII.get(Op);
      if (!M.getSchedClassDesc(D.getSchedClass())->isVariant() || extractPseudoToMC(&TII, int(Op)) == -1)
        continue;
      std::vector<unsigned> Vary;
      for (unsigned Q = 0; Q < NumOperandNames; ++Q) {
        int K = AMDGPU::getNamedOperandIdx(uint16_t(Op), AMDGPU::OpName(Q));
        if (K >= 0 && decides(OperandNames[Q]))
          Vary.push_back(unsigned(K));
      }
      unsigned Total = 1;
      for (size_t I = 0; I < Vary.size(); ++I)
        Total *= NumValues;
      std::vector<int> Classes;
      for (unsigned T = 0; T < Total; ++T) {
        MachineInstr *MI = MF.CreateMachineInstr(D, DebugLoc());
        for (unsigned K = 0; K < D.getNumOperands(); ++K) {
          const TargetRegisterClass *RC = TII.getRegClass(D, K);
          auto V = std::find(Vary.begin(), Vary.end(), K);
          if (V != Vary.end()) {
            unsigned Value = T;
            for (auto I = Vary.begin(); I != V; ++I)
              Value /= NumValues;
            MI->addOperand(MF, MachineOperand::CreateImm(Value % NumValues));
          } else if (RC && TRI.getAllocatableClass(RC)) {
            Register R = MRI.createVirtualRegister(TRI.getAllocatableClass(RC));
            MI->addOperand(MF, MachineOperand::CreateReg(R, K < D.getNumDefs()));
          } else {
            MI->addOperand(MF, MachineOperand::CreateImm(0));
          }
        }
        MBB.insert(MBB.begin(), MI);
        Classes.push_back(Resolve(*MI));
        MI->eraseFromParent();
      }
      if (std::set<int>(Classes.begin(), Classes.end()).size() == 1) {
        Classes.resize(1);
        Vary.clear();
      }
      J.array([&] {
        J.value(Op);
        writeArray(J, Vary);
        writeArray(J, Classes);
      });
    }
  });
}

void extract::writeSchedModels(json::OStream &J) {
  const char *Triple = "amdgcn-amd-amdhsa";
  std::vector<std::string> Cpus;
  for (const SubtargetSubTypeKV &P : Sample(Triple, "gfx900", "").subtarget().getAllProcessorDescriptions())
    Cpus.push_back(P.Key);
  std::set<unsigned> Seen;
  J.attributeArray("sched_models", [&] {
    for (const std::string &Cpu : Cpus) {
      Sample S(Triple, Cpu, "");
      const MCSchedModel &M = S.subtarget().getSchedModel();
      if (Seen.insert(M.ProcID).second)
        J.object([&] { writeModel(J, M, S.subtarget()); });
    }
  });
  // Processors that share a model may differ in the opcodes that exist: the packer merges them.
  Pool<std::string> Variants;
  J.attributeArray("sched_variants", [&] {
    for (const std::string &Cpu : Cpus) {
      Sample S(Triple, Cpu, "");
      if (!S.subtarget().getSchedModel().hasInstrSchedModel())
        continue;
      std::string Text;
      {
        raw_string_ostream OS(Text);
        json::OStream TJ(OS);
        TJ.object([&] { writeVariants(TJ, S.kernel()); });
      }
      size_t Before = Variants.Items.size();
      if (Variants.add(Text) == Before)
        J.rawValue(Text);
    }
  });
}
