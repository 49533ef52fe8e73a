/** Which feature answers which request that requests.ts lists for the worker. */
import type { ProgressToken } from '../../util/cancellation.js';
import { provideAllocatedText } from '../../features/allocation/allocation.js';
import { provideCostComparison } from '../../features/allocation/compareCosts.js';
import { provideVersionComparison } from '../../features/allocation/compareVersions.js';
import { provideAllocationExplanation } from '../../features/allocation/explainAllocation.js';
import { provideAfterPass, providePassExplanation, providePassList } from '../../features/passes/afterPass.js';
import { provideCodeActions, resolveCodeAction } from '../../features/assists/codeAction.js';
import { provideRunLines, provideRunOutput } from '../../features/checks/runLines.js';
import { provideCodeLenses } from '../../features/lens/codeLens.js';
import { provideCompletion } from '../../features/completion/completion.js';
import { resolveCompletionItem } from '../../features/completion/resolveItem.js';
import { provideSignatureHelp } from '../../features/completion/signatureHelp.js';
import { provideFormatting, provideRangeFormatting } from '../../features/format/formatting.js';
import { provideLinkedEditingRanges } from '../../features/format/linkedEditing.js';
import { provideOnTypeFormatting } from '../../features/format/onType.js';
import { provideControlFlow } from '../../features/controlFlow/controlFlow.js';
import { provideDetails } from '../../features/hover/details.js';
import { provideDependences } from '../../features/schedule/dependences.js';
import { provideTargetComparison } from '../../features/pressure/compareTargets.js';
import { provideDeclaration, provideDefinition } from '../../features/navigation/definition.js';
import {
  provideIncomingCalls,
  provideOutgoingCalls,
  providePrepareCallHierarchy,
} from '../../features/navigation/callHierarchy.js';
import {
  providePredecessors,
  providePrepareTypeHierarchy,
  provideSuccessors,
} from '../../features/navigation/blockHierarchy.js';
import { provideDocumentLinks } from '../../features/navigation/documentLink.js';
import { provideDocumentSymbols } from '../../features/navigation/documentSymbols.js';
import { provideFoldingRanges } from '../../features/navigation/foldingRange.js';
import { provideHover } from '../../features/hover/hover.js';
import { provideInlayHints } from '../../features/lens/inlayHints.js';
import { providePressureProfile } from '../../features/pressure/pressureProfile.js';
import { provideDocumentHighlight, provideReferences } from '../../features/navigation/references.js';
import { provideDumpGraph } from '../../features/schedule/dumpGraph.js';
import { provideSwapText } from '../../features/fixes/swapText.js';
import { providePressureReport } from '../../features/pressure/pressureReport.js';
import { provideSchedulePick } from '../../features/schedule/schedulePick.js';
import { provideScheduledText, provideScheduleExplanation } from '../../features/schedule/schedule.js';
import { providePrepareRename, provideRename } from '../../features/rename/rename.js';
import { provideRematReport } from '../../features/remat/rematReport.js';
import { provideWhatIf } from '../../features/remat/whatIf.js';
import { provideSelectionRanges } from '../../features/navigation/selectionRange.js';
import {
  provideSemanticTokens,
  provideSemanticTokensDelta,
  provideSemanticTokensRange,
} from '../../features/tokens/semanticTokens.js';
import { provideAppliedLever } from '../../features/levers/applyLever.js';
import { provideEndedText, provideSweepRow, provideSweepSettings } from '../../features/levers/sweepRows.js';
import { provideWhyOccupancy } from '../../features/levers/whyOccupancy.js';
import {
  ALLOCATED_TEXT_REQUEST,
  APPLY_LEVER_REQUEST,
  ENDED_TEXT_REQUEST,
  SWEEP_ROW_REQUEST,
  SWEEP_SETTINGS_REQUEST,
  WHY_OCCUPANCY_REQUEST,
  COMPARE_COSTS_REQUEST,
  COMPARE_VERSIONS_REQUEST,
  COMPARE_TARGETS_REQUEST,
  CONTROL_FLOW_REQUEST,
  PRESSURE_PROFILE_REQUEST,
  DEPENDENCES_REQUEST,
  DETAILS_REQUEST,
  WHY_DIVERGENT_REQUEST,
  WHY_REQUEST,
  PEAKS_REQUEST,
  PRESSURE_LINES_REQUEST,
  EXEC_LINES_REQUEST,
  EXPLAIN_ALLOCATION_REQUEST,
  EXPLAIN_PASS_REQUEST,
  AFTER_PASS_REQUEST,
  PASS_LIST_REQUEST,
  EXPLAIN_SCHEDULE_REQUEST,
  LOG_DUMP_REQUEST,
  LOG_GRAPH_REQUEST,
  LOG_PAIR_REQUEST,
  PRESSURE_REPORT_REQUEST,
  SCHEDULED_TEXT_REQUEST,
  SCHEDULE_PICK_REQUEST,
  SOURCE_LINES_REQUEST,
  REMAT_REPORT_REQUEST,
  REMAT_WHAT_IF_REQUEST,
  RUN_LINES_REQUEST,
  SWAP_TEXT_REQUEST,
  DUMP_GRAPH_REQUEST,
  RUN_OUTPUT_REQUEST,
} from './customRequests.js';
import type { LogDocument } from '../../features/machineLog/logDocument.js';
import {
  logFolding,
  logLenses,
  logSymbols,
  provideDumpPair,
  provideDumpPairOfMir,
  provideDumpText,
  provideDumpTextOfMir,
  provideLogGraph,
  provideLogGraphOfMir,
} from '../../features/machineLog/logFeatures.js';
import { provideLinesOfSource } from '../../features/pressure/linesOfSource.js';
import { providePeaks } from '../../features/pressure/peaks.js';
import { providePressureLines } from '../../features/pressure/pressureLines.js';
import { provideExecLines } from '../../features/uniformity/execLines.js';
import { provideWhyDivergent } from '../../features/uniformity/whyDivergent.js';
import { provideWhy } from '../../features/pressure/why.js';
import type { Elsewhere, Snapshot } from '../../features/snapshot/snapshot.js';
import type { FeatureMethod, ParamsOf } from './requests.js';

type Feature<M extends FeatureMethod> = (snapshot: Snapshot, params: ParamsOf<M>, token: ProgressToken) => unknown;

export const FEATURES = {
  'textDocument/hover': provideHover,
  'textDocument/completion': provideCompletion,
  'completionItem/resolve': resolveCompletionItem,
  'textDocument/signatureHelp': provideSignatureHelp,
  'textDocument/formatting': provideFormatting,
  'textDocument/rangeFormatting': provideRangeFormatting,
  'textDocument/onTypeFormatting': provideOnTypeFormatting,
  'textDocument/linkedEditingRange': provideLinkedEditingRanges,
  'textDocument/inlayHint': provideInlayHints,
  'textDocument/codeLens': provideCodeLenses,
  'textDocument/documentSymbol': provideDocumentSymbols,
  'textDocument/definition': provideDefinition,
  'textDocument/declaration': provideDeclaration,
  'textDocument/references': provideReferences,
  'textDocument/documentHighlight': provideDocumentHighlight,
  'textDocument/semanticTokens/full': provideSemanticTokens,
  'textDocument/semanticTokens/full/delta': provideSemanticTokensDelta,
  'textDocument/semanticTokens/range': provideSemanticTokensRange,
  'textDocument/foldingRange': provideFoldingRanges,
  'textDocument/selectionRange': provideSelectionRanges,
  'textDocument/documentLink': provideDocumentLinks,
  'textDocument/codeAction': provideCodeActions,
  'codeAction/resolve': resolveCodeAction,
  [PRESSURE_PROFILE_REQUEST]: providePressureProfile,
  [CONTROL_FLOW_REQUEST]: provideControlFlow,
  [COMPARE_TARGETS_REQUEST]: provideTargetComparison,
  'textDocument/prepareRename': providePrepareRename,
  'textDocument/rename': provideRename,
  'textDocument/prepareCallHierarchy': providePrepareCallHierarchy,
  'callHierarchy/incomingCalls': provideIncomingCalls,
  'callHierarchy/outgoingCalls': provideOutgoingCalls,
  'textDocument/prepareTypeHierarchy': providePrepareTypeHierarchy,
  'typeHierarchy/supertypes': providePredecessors,
  'typeHierarchy/subtypes': provideSuccessors,
  [SCHEDULED_TEXT_REQUEST]: provideScheduledText,
  [SCHEDULE_PICK_REQUEST]: provideSchedulePick,
  [REMAT_REPORT_REQUEST]: provideRematReport,
  [REMAT_WHAT_IF_REQUEST]: provideWhatIf,
  [EXPLAIN_SCHEDULE_REQUEST]: provideScheduleExplanation,
  [ALLOCATED_TEXT_REQUEST]: provideAllocatedText,
  [EXPLAIN_ALLOCATION_REQUEST]: provideAllocationExplanation,
  [WHY_OCCUPANCY_REQUEST]: provideWhyOccupancy,
  [APPLY_LEVER_REQUEST]: provideAppliedLever,
  [SWEEP_SETTINGS_REQUEST]: provideSweepSettings,
  [SWEEP_ROW_REQUEST]: provideSweepRow,
  [ENDED_TEXT_REQUEST]: provideEndedText,
  [PASS_LIST_REQUEST]: providePassList,
  [AFTER_PASS_REQUEST]: provideAfterPass,
  [EXPLAIN_PASS_REQUEST]: providePassExplanation,
  [COMPARE_COSTS_REQUEST]: provideCostComparison,
  [COMPARE_VERSIONS_REQUEST]: provideVersionComparison,
  [DETAILS_REQUEST]: provideDetails,
  [DEPENDENCES_REQUEST]: provideDependences,
  [PRESSURE_REPORT_REQUEST]: providePressureReport,
  [RUN_LINES_REQUEST]: provideRunLines,
  [SWAP_TEXT_REQUEST]: provideSwapText,
  [DUMP_GRAPH_REQUEST]: provideDumpGraph,
  [SOURCE_LINES_REQUEST]: provideLinesOfSource,
  [LOG_DUMP_REQUEST]: provideDumpTextOfMir,
  [LOG_PAIR_REQUEST]: provideDumpPairOfMir,
  [LOG_GRAPH_REQUEST]: provideLogGraphOfMir,
  [RUN_OUTPUT_REQUEST]: provideRunOutput,
  [WHY_REQUEST]: provideWhy,
  [WHY_DIVERGENT_REQUEST]: provideWhyDivergent,
  [PEAKS_REQUEST]: providePeaks,
  [PRESSURE_LINES_REQUEST]: providePressureLines,
  [EXEC_LINES_REQUEST]: provideExecLines,
} satisfies { readonly [M in FeatureMethod]: Feature<M> };

/** What a client gets; a feature that refuses, or would keep others waiting, is not seen by it. */
export type ResultOf<M extends FeatureMethod> = Exclude<
  ReturnType<(typeof FEATURES)[M]>,
  Elsewhere | { readonly refused: string }
>;

/** The answer of the worker. Null for methods that it does not know. */
export function answerOf(method: string, snapshot: Snapshot, params: unknown, token: ProgressToken): unknown {
  const feature = (FEATURES as Readonly<Record<string, Feature<never> | undefined>>)[method];
  return feature?.(snapshot, params as never, token) ?? null;
}

/** What is answered about a log of machine dumps; to all other requests null. */
export function answerOfLog(method: string, log: LogDocument, params: unknown, token: ProgressToken): unknown {
  switch (method) {
    case 'textDocument/documentSymbol':
      return logSymbols(log, token);
    case 'textDocument/foldingRange':
      return logFolding(log);
    case 'textDocument/codeLens':
      return logLenses(log, token);
    case LOG_DUMP_REQUEST:
      return provideDumpText(log, params as ParamsOf<typeof LOG_DUMP_REQUEST>);
    case LOG_PAIR_REQUEST:
      return provideDumpPair(log, params as ParamsOf<typeof LOG_PAIR_REQUEST>);
    case LOG_GRAPH_REQUEST:
      return provideLogGraph(log, params as ParamsOf<typeof LOG_GRAPH_REQUEST>, token);
    default:
      return null;
  }
}
