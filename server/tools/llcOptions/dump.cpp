// Lists the options that llc has registered when it begins to read its command line.
//
// Loaded into llc with LD_PRELOAD, where it wraps llvm::cl::ParseCommandLineOptions: after that call every option of llc, of the
// libraries and of the targets is registered, and those that llvm::cl itself adds. Prints, for each option in the order of LLVM's table (which decides between spellings that
// are equally near), a line of facts separated by tabs, then what --help would say of it. Names of registered passes follow.
#include "llvm/Pass.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cxxabi.h>
#include <dlfcn.h>
#include <typeinfo>

using namespace llvm;

// The class of an option, from its run-time type: LLVM is compiled with that, Polly (hidden behind it) is not.
static std::string classOf(const cl::Option &O) {
  const std::type_info *Type = (*reinterpret_cast<const std::type_info *const *const *>(&O))[-1];
  if (!Type)
    return "unknown";
  int Status = 0;
  char *Name = abi::__cxa_demangle(Type->name(), nullptr, nullptr, &Status);
  return Name ? Name : Type->name();
}

// Which object the option lies in and where; options of one source file lie side by side.
static std::string placeOf(const cl::Option &O) {
  Dl_info Info;
  if (!dladdr(&O, &Info))
    return "heap\t0";
  std::string Text;
  raw_string_ostream Out(Text);
  Out << StringRef(Info.dli_fname).rsplit('/').second << '\t'
      << reinterpret_cast<const char *>(&O) - static_cast<const char *>(Info.dli_fbase);
  return Text;
}

struct PassPrinter : PassRegistrationListener {
  void passEnumerate(const PassInfo *Pass) override {
    if (!Pass->getPassArgument().empty())
      outs() << "PASS\t" << Pass->getPassArgument() << '\n';
  }
};

// A line of facts about an option, then its help. Giving an option a value may end the program; who does not want that leaves it out.
static void printOption(StringRef Name, cl::Option &O, bool TriesEmpty = true) {
  bool TakesEmpty = false;
  std::string Class = classOf(O);
  // Of an option whose value may be left out help does not tell whether it may; its parser does.
  if (TriesEmpty && O.getValueExpectedFlag() == cl::ValueOptional && Class.find("parser<bool>") == std::string::npos && Class != "llvm::cl::alias")
    TakesEmpty = !O.addOccurrence(1, Name, "", false);
  outs() << "OPTION\t" << Name << '\t' << Class << '\t' << placeOf(O) << '\t' << int(O.getValueExpectedFlag()) << '\t'
         << int(O.getFormattingFlag()) << '\t' << O.getMiscFlags() << '\t' << int(O.getOptionHiddenFlag()) << '\t' << int(TakesEmpty) << '\n';
  O.printOptionInfo(1000);
}

static void printPasses() {
  PassPrinter Printer;
  PassRegistry::getPassRegistry()->enumerateWith(&Printer);
  outs().flush();
}

// For a library whose table of options is laid out otherwise (options24.py).
extern "C" void dumpOption(const char *Name, size_t Length, void *O) {
  printOption(StringRef(Name, Length), *static_cast<cl::Option *>(O), false);
}
extern "C" void dumpPasses() { printPasses(); }

namespace llvm::cl {
bool ParseCommandLineOptions(int Count, const char *const *Words, StringRef Overview, raw_ostream *Errors, vfs::FileSystem *Files,
                             const char *Variable, bool OnlyDoubleDash) {
  using Function = decltype(ParseCommandLineOptions);
  void *Real = dlsym(RTLD_NEXT, "_ZN4llvm2cl23ParseCommandLineOptionsEiPKPKcNS_9StringRefEPNS_11raw_ostreamEPNS_3vfs10FileSystemES2_b");
  reinterpret_cast<Function *>(Real)(Count, Words, Overview, Errors, Files, Variable, OnlyDoubleDash);
  for (auto &[Name, O] : getRegisteredOptions())
    printOption(Name, *O);
  printPasses();
  _Exit(0);
}
} // namespace llvm::cl
