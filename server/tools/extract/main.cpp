// Prints what LLVM knows about AMDGPU as JSON: the input of server/tools/pack. See build.sh.
//
// usage: extract            tables
//        extract --r600     tables of R600
//        extract --golden   answers that the unit tests compare with
#include "extract.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace extract;

// The number that the packer expects; raise it with the format.
static const int FormatVersion = 1;

const Convention extract::Conventions[] = {
    {"amdgpu_kernel", ""},      {"spir_kernel", ""},
    {"", ""},                   {"fastcc", ""},
    {"coldcc", ""},             {"amdgpu_gfx", ""},
    {"amdgpu_gfx_whole_wave", "i1 %active"},
    {"amdgpu_cs", ""},          {"amdgpu_cs_chain", ""},
    {"amdgpu_cs_chain_preserve", ""},
    {"amdgpu_vs", ""},          {"amdgpu_ps", ""},
    {"amdgpu_gs", ""},          {"amdgpu_hs", ""},
    {"amdgpu_es", ""},          {"amdgpu_ls", ""},
};
const unsigned extract::NumConventions = std::size(Conventions);

Sample::Sample(StringRef TripleName, StringRef Cpu, StringRef Features) {
  Triple T(TripleName);
  std::string Error;
  const Target *Tgt = TargetRegistry::lookupTarget(T, Error);
  if (!Tgt)
    report_fatal_error(StringRef(Error));
  Machine.reset(Tgt->createTargetMachine(T, Cpu, Features, TargetOptions(), std::nullopt, std::nullopt,
                                         CodeGenOptLevel::Default));
  std::string Text = "target triple = \"" + TripleName.str() + "\"\n";
  for (unsigned I = 0; I < NumConventions; ++I)
    Text += "define " + std::string(Conventions[I].Name) + " void @f" + std::to_string(I) + "(" +
            Conventions[I].Args + ") { unreachable }\n";
  SMDiagnostic Diag;
  Module = parseAssemblyString(Text, Diag, Context);
  if (!Module)
    report_fatal_error(StringRef("sample module: " + Diag.getMessage().str()));
  Module->setDataLayout(Machine->createDataLayout());
  Info = std::make_unique<MachineModuleInfo>(Machine.get());
  for (unsigned I = 0; I < NumConventions; ++I) {
    Function &F = *Module->getFunction("f" + std::to_string(I));
    MachineFunction &MF = Info->getOrCreateMachineFunction(F);
    MF.push_back(MF.CreateMachineBasicBlock());
    Functions.push_back(&MF);
  }
}

int main(int Argc, char **Argv) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  StringRef What = Argc > 1 ? Argv[1] : "";
  json::OStream J(outs());
  J.objectBegin();
  J.attribute("format", FormatVersion);
  J.attribute("llvm", LLVM_VERSION_STRING);
  if (What == "--golden") {
    writeGolden(J);
  } else if (What == "--r600") {
    writeR600(J);
  } else {
    Sample S("amdgcn-amd-amdhsa", "gfx90a", "");
    writeInstrs(J, S);
    writeRegisters(J, S);
    writeClasses(J, S);
    writeSubtargets(J);
    writeSchedModels(J);
    writeUniformity(J);
  }
  J.objectEnd();
  outs() << '\n';
  return 0;
}
