/**
 * What speaks for an item of completion and against it: named facts, the points that each counts, and why it does. An item's place is by the sum of its
 * facts; only differences between items of one list matter. What nothing but order tells apart (words, keys, options) is listed where it is made.
 *
 * The points of facts about operands were fitted by `test/bench/completionPoints.ts` on two thirds of the families of texts in `../shared/corpus` and of
 * random kernels, and judged on the other third (`test/support/completionRate.ts`); those of opcodes, classes and words were set by hand.
 */
export const POINTS = {
  // -- virtual registers that are read ------------------------------------------------------------------------------
  /** Of a class, type or size that the operand takes as it is. */
  fits: 35,
  /** Nothing is known of it or of the operand. */
  mayFit: 15,
  /** llc would have to give it another class, or it is of another size: rare in code that was written by llc. */
  fitsWhenNarrowed: -40,
  /** In files of other targets only names are known: registers before blocks and objects. */
  namedOnly: 60,
  /** Its definition dominates the cursor's block. */
  reaches: 18,
  /** The verifier wants a definition on all paths; only PHIs and code after their elimination read it all the same. */
  doesNotReach: -28,
  /** Its definition may be still to come. */
  neverDefined: -11,
  /** A value that nothing reads yet was made for somebody. */
  unread: 35,
  /** It is alive here, since it is read again. */
  readLater: 5,
  /** It was read before, and not after the cursor: it may have ended. */
  notReadLater: -9.5,
  /** Each time that the number of its reads doubles: bases and indices are read everywhere. */
  readOften: 1.5,
  /** Its last read says that the value ends there. */
  killed: -33,
  /** Each time that the distance to where it stood last doubles: values are read soon. */
  farther: 6.5,
  /** Distance of what stands nowhere above. */
  nowhere: 42,
  /** A part of a wider register is of the operand's class. */
  partFits: 33,
  /** Each part before it that nothing has read: parts are read in order. */
  laterPart: -4,
  /** Parts are mostly read once. */
  partReadAlready: -13,
  /** Others of the line are that part of their registers: vectors are worked on part by part. */
  samePart: 12,

  // -- any register, by the line and by others of the opcode --------------------------------------------------------
  /** By the share of the opcode's instructions in the function that have it there, such as the base of a buffer. */
  sharesOperand: 38,
  /** The nearest one above has it there. */
  asAbove: 6.5,
  /** It goes on where the two above leave off: copies and stores come in rows. */
  continues: 21,
  /** It is as far from that of the instruction above as another register of the line is. */
  shifted: 44,
  /** An instruction above with another register of the line has it: values go together. */
  besideSame: 34,
  /** The line reads it already: `%1, %1` is rarer than `%1, %2`. */
  readTwice: -17,
  /** The line reads it for the last time already. */
  readsKilled: -26,
  /** The line writes it: an update in place, in code that is no longer in SSA form. */
  readsOwnDef: 17,

  // -- registers that are defined -----------------------------------------------------------------------------------
  /** It is read and nothing writes it: this line must. */
  waitsForDef: 100,
  /** However far its reader is, it waits. */
  waitsForDefFarthest: 25,
  /** It is read above and never written: another block's business. */
  readAboveOnly: 10,
  /** It stands in `registers:` alone: left over from before a pass. */
  listedOnly: -40,
  /** It is written elsewhere, too, and read after the cursor. */
  redefinedForReaders: -0.5,
  /** It is written elsewhere, and not read after the cursor. */
  redefinedForNobody: -19,
  /** Its class is one that the opcode defines. */
  defFits: 21,
  /** The opcode would narrow its class. */
  defNarrowed: -30,
  /** The opcode defines no such register. */
  defDoesNotFit: -120,
  /** A copy is as wide as its source. */
  defOfOtherSize: -60,
  /** A part that nothing has written of a register whose others are. */
  partUnwritten: 82,
  /** Parts are written in order: one before those that are written comes later. */
  partBeforeWritten: -2.5,
  /** The next number after all. */
  newRegister: 30,
  /** The first of the function. */
  firstRegister: 70,
  /** The number after that of the line above, which nothing has: here it was taken out. */
  gapInNumbers: 54,
  /** A use of the line is tied to the definition: out of SSA form they are one register. */
  isTied: 120,
  /** By the share of the opcode's instructions that define it, such as a stack pointer. */
  defSharesOperand: 13,
  /** The nearest one above defines it: mostly for a reader of its own. */
  defAsAbove: -2.5,
  /** It goes on where the two above leave off. */
  defContinues: 15,
  /** It is as far from that of the instruction above as another register of the line is. */
  defShifted: 19,
  /** An instruction above that reads the same defines it. */
  defBesideSame: 8,
  /** Another definition of the line is the same. */
  definedTwice: -100,
  /** The line reads it for the last time: allocators use it again at once. */
  defOfKilled: 41,
  /** The line reads it: an update in place. */
  defOfRead: 2.5,

  // -- physical registers -------------------------------------------------------------------------------------------
  /** The operand takes none of that size. */
  physicalOfOtherSize: -63,
  /** A part of a tuple that the line reads or writes implicitly: tuples are copied part by part. */
  partOfImplicit: 21,
  /** A copy mostly stays in the scalar or in the vector registers. */
  copyInBank: 3,
  /** It has no name in the text: a tuple whose parts were written, or a part of a tuple. */
  unnamed: -5.5,
  /** Each time that it stands in the function, four at the most. */
  mentionedAgain: 5,
  /** Each time that the distance to where it stood last doubles. */
  physicalFarther: 3.5,
  /** Distance of what stands only below. */
  physicalNowhere: 14,
  /** It comes into the function or the block, and nothing has read it: arguments are read first of all. */
  liveInWaits: 32,
  /** It was written, and not mentioned since. */
  writtenLast: 2.5,
  /** Something lives in it here. */
  lives: 18,
  /** Nothing of the block has read what lives in it. */
  unreadHere: 14,
  /** It lives unread, and nothing reads it below: this line must. */
  onlyReader: 34,
  /** It lives and nothing reads it below, nor was it killed: the last reader is missing. */
  lastReader: 21,
  /** Its next reader is its last one: it has one already. */
  killedLater: -5,
  /** It was killed, or holds what nobody wants. */
  isDead: -42,
  /** The first registers of a class, where nothing mentions them. */
  firstOfClass: 5,
  /** Any other register of the class, or of the target. */
  unmentioned: -31,
  /** Each time that the function writes it, four at the most. */
  writtenAgain: 5.5,
  /** It is read below before it is written, and comes into the function from nowhere. */
  readNext: 18,
  /** It is read below in the block before it is written. */
  readNextHere: 32,
  /** Each time that the distance to that reader doubles. */
  readNextFarther: 2,
  /** Nothing lives in it for that reader: this line must define it. */
  readNextUndefined: 26,
  /** What lives in it would be lost, read by nobody. */
  overwritesUnread: -24,
  /** What lives in it would be lost. */
  overwritesLive: -8,
  /** Nothing mentions it, but others of the opcode or the tied use suggest it. */
  freshRegister: 27,
  /** The register after the one that was written last: copies go on. */
  nextNumber: 59,
  /** Each time that the distance to that one doubles. */
  nextNumberFarther: 4.5,
  /** The first VGPR or SGPR that the function does not mention. */
  firstOfBank: 27,
  /** The first AGPR: few instructions write one. */
  firstAGPR: 18,
  /** `$noreg`: nobody writes it but where it is usual. */
  noRegister: -42,
  /** EXEC, VCC, M0 where nothing says what the operand takes. */
  specialAnywhere: -20,
  /** The mask of lanes is what scalar code reads most. */
  readsExec: 27,
  /** VCC and M0. */
  readsSpecial: 19,
  /** EXEC, VCC and M0 are written now and then. */
  writesSpecial: 19,
  /** The half of EXEC or VCC that the wave size does not need. */
  otherSpecial: 7,

  // -- operands of other kinds --------------------------------------------------------------------------------------
  /** A copy does not go from vector to scalar registers: that reads one lane. */
  readsLanes: -80,
  /** A part, where a copy would take a whole register as well. */
  partOfCopy: 2.5,
  /** Bit operations on masks begin with the lanes that are on. */
  execInMask: 35,
  /** In allocated code a tied operand repeats the definition. */
  repeatsTiedDef: 200,
  /** A move of a constant has one. */
  constantOfMove: 73,
  /** The same constants are moved again and again. */
  movedAbove: 71,
  /** What follows the series of moves above. */
  movedNext: 93.5,
  /** A constant where a register might stand. */
  constantForRegister: 54,
  /** By the share of the opcode's instructions with a register there. */
  mostlyRegisters: -37,
  /** A constant that lines above have in place of a register, against the usual ones. */
  constantAbove: -9.5,
  /** Each such constant that stands nearer. */
  constantFartherAbove: -1.5,
  /** The usual value of an operand that is always a constant: mostly 0. */
  usualConstant: 42,
  /** Each after 0 of 0, -1 and 1. */
  laterOfUsual: -14,
  /** Small numbers, powers of two and masks. */
  lessUsual: -34,
  /** What the operand is elsewhere in the file. */
  constantElsewhere: 51,
  /** By the share of the opcode's instructions that have it. */
  constantShare: 53,
  /** What an operand of the same name has above, such as an offset. */
  sameNameAbove: 30,
  /** What follows the series of those: offsets grow. */
  sameNameNext: 52,
  /** The address of a stack object in place of a register. */
  stackInPlaceOfRegister: 11,
  /** By the share of the opcode's instructions with one there. */
  stackShare: 60,
  /** Spills name one. */
  stackOfSpill: 80,
  /** Elsewhere the address of a stack object is rare. */
  stackObject: -10,
  /** So is that of a global. */
  global: -9.5,
  /** With the offset that it has elsewhere with the same target flag. */
  symbolWithOffset: 0,
  /** A debug value without a location. */
  debugOfNothing: 27,
  /** AMDGPU's own intrinsics are those that stay intrinsics. */
  ownIntrinsic: 10,
  /** A part that the sequence has already. */
  partTaken: -10000,
  /** The call's register mask stands right after its described operands. */
  registerMask: 400,
  /** `killed`, `undef` and their like, once a letter is typed. */
  flagWord: -60,
  /** Flags of instructions stand before few opcodes. */
  instructionFlag: -30,
  /** `successors:` and `liveins:` begin few lines. */
  blockKey: -20,
  /** A new block where code would fall into it. */
  newBlock: -25,
  /** Where nothing falls through, a new block is all that may come. */
  blockAfterBarrier: 200,
  /** Snippets of several lines, for those who look for them. */
  bodySnippet: -40,

  // -- implicit operands --------------------------------------------------------------------------------------------
  /** The description has it and the line lacks it: llc's parser asks for it. */
  implicitOfOpcode: 153,
  /** The same of a register that nothing may have written. */
  implicitUndef: 100,
  /** By the share of the opcode's instructions in the file that have it beyond the description. */
  implicitShare: 98,
  /** EXEC and MODE are what instructions read implicitly most. */
  implicitMode: 23,
  /** The line has it already. */
  implicitModeAgain: 24,
  /** A register as an implicit operand. */
  implicitRead: -6.5,
  /** Implicit definitions go on with implicit definitions. */
  implicitAfterDefs: -81,
  /** Most implicit operands are read. */
  implicitDef: -42,
  /** The line has it in that role already. */
  implicitTwice: -10,
  /** The line has it in the other role: masks are read and written. */
  implicitOther: 8,
  /** The line has a part of it: what is copied part by part. */
  implicitWhole: 40,
  /** A variadic instruction takes registers that are not implicit. */
  explicitOfVariadic: -12,
  /** Operands that are to come stand before implicit ones. */
  implicitBeforeLast: -300,

  // -- memory operands and live-ins ---------------------------------------------------------------------------------
  /** A pointer of the IR. */
  irPointer: 20,
  /** Each time that the distance in the IR to the pointer after the one that the line above has doubles. */
  irPointerFarther: 4,
  /** Nothing of the body has it yet. */
  irPointerUnused: 4,
  /** The stack object that another operand of the line names. */
  objectOfLine: 60,
  /** A stack object, of an opcode that reaches private memory. */
  objectOfPrivate: 15,
  /** Global variables and functions. */
  globalPointer: 8,
  /** Lists of live-ins go on with the next number. */
  nextLiveIn: 150,
  /** It is a live-in already. */
  liveInTwice: -100,

  // -- blocks -------------------------------------------------------------------------------------------------------
  /** Terminators go where the block's successors are. */
  isSuccessor: 61,
  /** The line names it already. */
  blockNamedBefore: -80,
  /** Each time that the distance to its label doubles. */
  blockFarther: 3.5,
  /** Code goes down rather than up. */
  blockBelow: 9,

  // -- classes, banks and types of registers ------------------------------------------------------------------------
  /** The class that the register has at its other places. */
  classOfRegister: 150,
  /** The operand's own class. */
  classOfOperand: 100,
  /** One that is narrower. */
  subclassOfOperand: 50,
  /** One that does not fit. */
  otherClass: -50,
  /** As wide as the source of the copy. */
  classOfSize: 40,
  /** One of the ten that tests write most. */
  usualClass: 8,
  /** Each time that the number of the function's registers of that class doubles. */
  classUsedAgain: 6,
  /** No register can be of it. */
  notAllocatable: -30,
  /** After the selection of banks a register has one. */
  bankWhereSelected: 95,
  /** Before it has none. */
  bankElsewhere: -20,
  /** Most registers of the function are generic. */
  genericAmongGeneric: 90,
  /** Few are. */
  genericElsewhere: -10,

  // -- opcodes ------------------------------------------------------------------------------------------------------
  /** The file uses it. */
  opcodeUsed: 14,
  /** Each time that the number of its uses doubles. */
  opcodeUsedAgain: 5,
  /** Each time that the number of times it follows the opcode above doubles. */
  opcodeFollows: 6,
  /** The same of the opcode below. */
  opcodePrecedes: 6,
  /** By its rank among the opcodes of LLVM's tests, for files that use none yet. */
  usualOpcode: 10,
  /** SDWA and DPP forms: passes make them, people rarely write them. */
  variant: -12,
  /** Comparisons with a constant result, 16-bit loads of half a register and their like. */
  rareOpcode: -5,
  /** Opcodes of other targets and of passes of their own. */
  writtenByNobody: -120,
  /** The processor has a newer form of it. */
  olderForm: -6,
  /** The register's class is the one that the description names. */
  sameClass: 9,
  /** The register's class is within it. */
  subclass: 6,
  /** Some class is common to both. */
  narrowedClass: 1,
  /** Of the same size and nothing in common: a vector register in place of a scalar one. */
  foreignClass: -50,
  /** Of another size. */
  classOfOtherSize: -70,
  /** The register has no such part. */
  classHasNoPart: -20,
  /** A generic register for a generic operand, a physical one of its class. */
  typedForTyped: 4,
  /** A generic register where a class is wanted, or the other way round. */
  typedForClass: -25,
  /** The description takes no such thing there. */
  operandIsWrong: -60,
  /** A constant for an operand that may be one. */
  constantForEither: 2,
  /** A constant for a register. */
  constantForRegisterOnly: -30,
  /** A constant for a constant. */
  constantForConstant: 3,
  /** A block for a branch. */
  blockForBranch: 10,
  /** An intrinsic for the opcodes that have one. */
  intrinsicForIts: 80,
  /** Operands of one type variable have several types. */
  typesDisagree: -80,
  /** The line defines nothing yet. */
  defNotWritten: -25,
  /** The line defines more or fewer. */
  otherNumberOfDefs: -120,
  /** The line defines something, the opcode does not. */
  definesNothing: -30,
  /** Copies and their like define whatever they are asked to. */
  definesAnything: 12,
  /** An undefined value is a usual start. */
  valueDoesNotMatter: 8,
  /** `nofpexcept` is said of what may raise an exception, and of nothing else. */
  mayRaise: 30,
  /** The line has more or fewer operands. */
  otherNumberOfOperands: -70,
  /** An implicit operand of the description is there. */
  implicitIsThere: 8,
  /** An implicit operand of the description is not there. */
  implicitIsMissing: -25,
  /** Implicit operands beyond those of the description. */
  implicitTooMany: -6,
  /** llc's parser or verifier would not take it. */
  rejected: -1000,
  /** The line has a memory operand. */
  touchesNoMemory: -60,
  /** The line has none: allowed, but rare. */
  memoryUnsaid: -12,
  /** The memory operand says less than the opcode does. */
  touchesMore: -10,
  /** `{` follows bundles alone. */
  bundleBeforeBrace: 200,
  /** PHIs begin a block. */
  phiInBlock: -60,
  /** A PHI's operands are pairs. */
  phiWithoutPairs: -120,
  /** A generic opcode among selected ones, or the other way round. */
  otherLevel: -12,
  /** The last line of a block that defines nothing is mostly a terminator. */
  endsNothing: -6,
  /** Terminators end blocks. */
  terminatorInBlock: -22,
  /** After a conditional branch comes the other way. */
  otherWay: 24,
  /** A return where the block has no successors, a branch where it has. */
  endsAsSuccessorsSay: 22,
  /** A return where it has successors. */
  returnsWithSuccessors: -15,
  /** A branch where it has none. */
  branchesWithout: 4,
};
