// An llc for a libLLVM.so that comes without one: the library's own parser, target machine and passes, driven as llc drives them.
//   llc [llc's options] [-o FILE] FILE.mir
//   llc --batch     a JSON job a line on standard input: {"args": [...], "stdout": FILE, "stderr": FILE, "limitMs": N}; {"exit": N} a line
// Made with headers of a release nearby, so that no object whose layout may differ is made on the stack or laid out by them: `roomy` gives it
// room, symbols its functions, and entries of a vtable are found by what they point to.
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetLoweringObjectFile.h"
#include "llvm/Target/TargetMachine.h"
#include <csignal>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
using namespace llvm;

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
void LLVMInitializeAMDGPUAsmPrinter();
}

// As LLVM 23 has them.
namespace llvm::codegen {
void setFunctionAttributes(Function &, StringRef cpu, StringRef features, StringRef tune);
void setFunctionAttributes(Module &, StringRef cpu, StringRef features, StringRef tune);
}

static constexpr size_t ROOM = 1 << 16;
static void *roomy() { return calloc(1, ROOM); }

static void *symbol(const char *name) {
  if (void *found = dlsym(RTLD_DEFAULT, name)) return found;
  fprintf(stderr, "llc: the library has no %s\n", name);
  _exit(70);
}

static bool failed = false;
static void diagnose(LLVMDiagnosticInfoRef info, void *) {
  char *text = LLVMGetDiagInfoDescription(info);
  static const char *words[] = {"error", "warning", "remark", "note"};
  auto severity = LLVMGetDiagInfoSeverity(info);
  failed |= severity == LLVMDSError;
  if (severity == LLVMDSRemark) return LLVMDisposeMessage(text);
  errs() << words[severity] << ": " << text << "\n";
  LLVMDisposeMessage(text);
}

struct Job {
  std::string triple, out = "-", path = "-";
  std::vector<std::string> passes, rest = {"llc"};
  int level = 2;
};

static Job parseJob(const std::vector<std::string> &args) {
  Job job;
  for (size_t i = 0; i < args.size(); i++) {
    StringRef a = args[i];
    if (!a.starts_with("-") || a == "-") { job.path = a.str(); continue; }
    auto [key, value] = a.ltrim('-').split('=');
    auto given = [&, has = a.contains('='), v = value]() { return has ? v.str() : ++i < args.size() ? args[i] : std::string(); };
    if (key == "mtriple") job.triple = given();
    else if (key == "o") job.out = given();
    else if (key == "x" || key == "filetype") given();
    else if (key == "run-pass") {
      SmallVector<StringRef> names;
      std::string list = given();
      StringRef(list).split(names, ',');
      for (StringRef n : names) job.passes.push_back(n.str());
    } else if (key == "verify-machineinstrs-none") continue;
    else if (key.size() == 2 && key[0] == 'O' && isDigit(key[1])) job.level = key[1] - '0';
    else job.rest.push_back(a.str());
  }
  return job;
}

// The headers' places in the table of virtual functions are not the library's: a function is called by its name, or by its place near one.
static const char EMIT[] = "_ZN4llvm24CodeGenTargetMachineImpl19addPassesToEmitFileERNS_6legacy15PassManagerBaseERNS_17raw_pwrite_streamEPS4_NS_15CodeGenFileTypeEbPNS_28MachineModuleInfoWrapperPassE";
static constexpr int PASS_CONFIG_AFTER_EMIT = 6;

static TargetPassConfig *passConfig(TargetMachine &machine, legacy::PassManagerBase &pm) {
  void **vtable = *(void ***)&machine;
  void *emit = symbol(EMIT);
  int at = 0;
  while (vtable[at] != emit) at++;
  return ((TargetPassConfig * (*)(void *, void *))vtable[at + PASS_CONFIG_AFTER_EMIT])(&machine, &pm);
}

static int run(const std::vector<std::string> &args) {
  Job job = parseJob(args);
  std::vector<const char *> words;
  for (auto &w : job.rest) words.push_back(w.c_str());
  cl::ParseCommandLineOptions(words.size(), words.data());
  auto &context = *(LLVMContext *)LLVMContextCreate();
  LLVMContextSetDiagnosticHandler((LLVMContextRef)&context, diagnose, nullptr);
  auto cpu = codegen::getCPUStr(), features = codegen::getFeaturesStr();
  SMDiagnostic error;
  auto parser = createMIRParserFromFile(job.path, error, context, [&](Function &f) { codegen::setFunctionAttributes(f, cpu, features, ""); });
  if (!parser) { error.print("llc", errs()); return 1; }
  TargetMachine *machine = nullptr;
  std::string problem;
  auto layout = [&](StringRef ofModule, StringRef old) -> std::optional<std::string> {
    std::string triple = !job.triple.empty() ? job.triple : ofModule.empty() ? "amdgcn--" : ofModule.str();
    auto made = codegen::createTargetMachineForTriple(triple, CodeGenOptLevel(job.level));
    if (!made) { problem = toString(made.takeError()); return std::nullopt; }
    machine = made->release();
    return std::string(LLVMCopyStringRepOfTargetData(LLVMCreateTargetDataLayout((LLVMTargetMachineRef)machine)));
  };
  auto module = parser->parseIRModule(layout);
  if (!module) return 1;
  if (!machine) { errs() << "llc: error: " << problem << "\n"; return 1; }
  if (!job.triple.empty()) module->setTargetTriple(Triple(Triple::normalize(job.triple)));
  codegen::setFunctionAttributes(*module, cpu, features, "");
  std::error_code ec;
  raw_fd_ostream out(job.out, ec);
  legacy::PassManager pm;
  auto *mmi = new (roomy()) MachineModuleInfoWrapperPass(machine);
  if (job.passes.empty()) {
    auto emit = (bool (*)(void *, void *, void *, void *, CodeGenFileType, bool, void *))symbol(EMIT);
    emit(machine, &pm, (raw_pwrite_stream *)&out, nullptr, CodeGenFileType::AssemblyFile, false, mmi);
  } else {
    TargetPassConfig &config = *passConfig(*machine, pm);
    pm.add(&config);
    pm.add(mmi);
    config.printAndVerify("");
    for (auto &name : job.passes) {
      if (name == "none") continue;
      const PassInfo *info = PassRegistry::getPassRegistry()->getPassInfo(name);
      if (!info) { errs() << "llc: error: run-pass " << name << " is not registered.\n"; return 1; }
      if (!info->getNormalCtor()) { errs() << "llc: error: cannot create pass: " << name << "\n"; return 1; }
      config.addMachinePrePasses(true);
      pm.add(info->createPass());
      config.addMachinePostPasses("After " + info->getPassName().str());
    }
    pm.add(createPrintMIRPass(out));
    pm.add(createFreeMachineFunctionPass());
  }
  machine->getObjFileLowering()->Initialize(mmi->getMMI().getContext(), *machine);
  if (parser->parseMachineFunctions(*module, mmi->getMMI())) return 1;
  pm.run(*module);
  out.flush();
  return failed;
}

static void prepare() {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  LLVMInitializeAMDGPUAsmPrinter();
  auto &registry = *PassRegistry::getPassRegistry();
  initializeCore(registry);
  initializeAnalysis(registry);
  initializeCodeGen(registry);
  initializeGlobalISel(registry);
  new (roomy()) codegen::RegisterCodeGenFlags();
}

static int batch() {
  std::string line;
  char piece[1 << 16];
  while (fgets(piece, sizeof piece, stdin)) {
    auto job = json::parse(piece);
    if (!job) { consumeError(job.takeError()); return 2; }
    auto &o = *job->getAsObject();
    pid_t pid = fork();
    if (pid == 0) {
      auto to = [&](const char *key, int fd) { dup2(open(o.getString(key).value_or("/dev/null").str().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), fd); };
      dup2(open("/dev/null", O_RDONLY), 0);
      to("stdout", 1);
      to("stderr", 2);
      alarm(std::max<int64_t>(1, o.getInteger("limitMs").value_or(60000) / 1000));
      std::vector<std::string> args;
      for (auto &a : *o.getArray("args")) args.push_back(a.getAsString()->str());
      int code = run(args);
      outs().flush();
      fflush(nullptr);
      _exit(code);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    printf("{\"exit\": %d}\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    fflush(stdout);
  }
  return 0;
}

int main(int argc, char **argv) {
  prepare();
  std::vector<std::string> args(argv + 1, argv + argc);
  int code = args == std::vector<std::string>{"--batch"} ? batch() : run(args);
  outs().flush();
  fflush(nullptr);
  _exit(code);
}
