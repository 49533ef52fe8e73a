// What divergence analysis asks of an instruction (TargetInstrInfo::getInstructionUniformity), found by asking about instructions made
// for the purpose; and which intrinsics are sources of divergence or always uniform.
#include "extract.h"
#include "private.h"
#include "llvm/ADT/Uniformity.h"
#include "llvm/CodeGen/GlobalISel/GenericMachineInstrs.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace extract;
using Uniformity = InstructionUniformity;

namespace {

/// Values of the column; server/src/target/api.ts has the same.
enum class Rule {
  Operands,     // never uniform if it reads a register outside the bank sgpr, else as what it reads
  Never,        // a source of divergence
  Always,       // uniform whatever it reads
  Copy,         // physical source: by its class; else as what it reads
  AddressSpace, // never uniform without memory operands, or with one in the flat or private address space
  Generic,      // as what it reads
  Intrinsic,    // by the intrinsic
  AddressSpaceCast, // private to flat: never uniform where scratch is globally addressable
};

class Probe {
public:
  Probe(Sample &S) : MF(S.kernel()), TII(*S.subtarget().getInstrInfo()), TRI(*S.subtarget().getRegisterInfo()) {
    for (unsigned R = 1; R < TRI.getNumRegs(); ++R) {
      StringRef Name = TRI.getName(R);
      if (Name == "VGPR0")
        VGPR = R;
      if (Name == "SGPR0")
        SGPR = R;
    }
    MachineRegisterInfo &MRI = MF.getRegInfo();
    Private = MRI.createGenericVirtualRegister(LLT::pointer(5, 32));
    Flat = MRI.createGenericVirtualRegister(LLT::pointer(0, 64));
  }

  /// An instruction with a result, one operand and, unless negative, a memory operand in that address space.
  Uniformity ask(unsigned Opcode, const MachineOperand &Op, Register Def, int AddressSpace = -1) {
    MachineInstr *MI = MF.CreateMachineInstr(TII.get(Opcode), DebugLoc(), /*NoImplicit=*/true);
    MI->addOperand(MF, MachineOperand::CreateReg(Def, /*isDef=*/true));
    MI->addOperand(MF, Op);
    if (AddressSpace >= 0)
      MI->addMemOperand(MF, MF.getMachineMemOperand(MachinePointerInfo(unsigned(AddressSpace)),
                                                    MachineMemOperand::MOLoad, LLT::scalar(32), Align(4)));
    MF.front().push_back(MI);
    Uniformity Res = TII.getInstructionUniformity(*MI);
    MF.front().erase(MI);
    return Res;
  }
  static MachineOperand use(Register R) { return MachineOperand::CreateReg(R, /*isDef=*/false); }

  Rule rule(unsigned Opcode) {
    switch (Opcode) {
    case TargetOpcode::G_INTRINSIC:
    case TargetOpcode::G_INTRINSIC_W_SIDE_EFFECTS:
    case TargetOpcode::G_INTRINSIC_CONVERGENT:
    case TargetOpcode::G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS: {
      auto Ask = [&](unsigned ID) { return ask(Opcode, MachineOperand::CreateIntrinsicID(Intrinsic::ID(ID)), VGPR); };
      if (Ask(Intrinsic::amdgcn_workitem_id_x) != Uniformity::NeverUniform ||
          Ask(Intrinsic::amdgcn_readfirstlane) != Uniformity::AlwaysUniform ||
          Ask(Intrinsic::sqrt) != Uniformity::Default)
        report_fatal_error("intrinsics do not decide what G_INTRINSIC is");
      return Rule::Intrinsic;
    }
    case TargetOpcode::G_ADDRSPACE_CAST:
      return Rule::AddressSpaceCast;
    }
    Uniformity S = ask(Opcode, use(SGPR), SGPR);
    Uniformity V = ask(Opcode, use(VGPR), SGPR);
    if (S == Uniformity::AlwaysUniform)
      return V == Uniformity::NeverUniform ? Rule::Copy : Rule::Always;
    if (S == Uniformity::NeverUniform) {
      if (ask(Opcode, use(SGPR), SGPR, 1) == Uniformity::NeverUniform)
        return Rule::Never;
      if (ask(Opcode, use(VGPR), SGPR, 1) != Uniformity::Default || ask(Opcode, use(SGPR), SGPR, 0) == Uniformity::Default ||
          ask(Opcode, use(SGPR), SGPR, 5) == Uniformity::Default || ask(Opcode, use(SGPR), SGPR, 3) != Uniformity::Default)
        report_fatal_error(TII.getName(Opcode) + ": no rule fits");
      return Rule::AddressSpace;
    }
    return V == Uniformity::NeverUniform ? Rule::Operands : Rule::Generic;
  }

  /// Physical registers (without a class for it LLVM crashes): never uniform when copied?
  void writeCopies(json::OStream &J) {
    std::vector<unsigned> Divergent, Crash;
    for (unsigned R = 1; R < TRI.getNumRegs(); ++R) {
      if (!TRI.getPhysRegBaseClass(R))
        Crash.push_back(R);
      else if (ask(TargetOpcode::COPY, use(R), SGPR) == Uniformity::NeverUniform)
        Divergent.push_back(R);
    }
    attributeArray(J, "divergent_copies", ranges(Divergent));
    attributeArray(J, "no_base_class", ranges(Crash));
  }

  MachineFunction &MF;
  const TargetInstrInfo &TII;
  const TargetRegisterInfo &TRI;
  Register VGPR, SGPR, Private, Flat;
};

} // namespace

void extract::writeUniformity(json::OStream &J) {
  Sample S("amdgcn-amd-amdhsa", "gfx90a", "");
  Probe P(S);
  J.attributeObject("uniformity", [&] {
    J.attributeArray("rules", [&] {
      for (unsigned Op = 0; Op < P.TII.getNumOpcodes(); ++Op)
        J.value(int(P.rule(Op)));
    });
    auto Intrinsics = [&](StringRef Key, bool (*Is)(unsigned)) {
      J.attributeArray(Key, [&] {
        for (unsigned ID = 1; ID < Intrinsic::num_intrinsics; ++ID)
          if (Is(ID))
            J.value(Intrinsic::getBaseName(Intrinsic::ID(ID)));
      });
    };
    Intrinsics("sources_of_divergence", AMDGPU::isIntrinsicSourceOfDivergence);
    Intrinsics("always_uniform", AMDGPU::isIntrinsicAlwaysUniform);
    P.writeCopies(J);
    // Whether a cast from the private to the flat address space is a source of divergence.
    J.attributeArray("divergent_casts", [&] {
      for (StringRef Cpu : {"gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100",
                            "gfx1150", "gfx1200", "gfx1250"}) {
        Sample One("amdgcn-amd-amdhsa", Cpu, "");
        Probe Q(One);
        J.array([&] {
          J.value(Cpu);
          J.value(Q.ask(TargetOpcode::G_ADDRSPACE_CAST, Probe::use(Q.Private), Q.Flat) == Uniformity::NeverUniform);
        });
      }
    });
  });
}
