export { type Batch, type BatchOutcome, tooLargeLine, type Wants } from './batch.js'
export { checkBatch, type JudgedBy } from './check-lines.js'
export {
  accountsASecond,
  type CodeCount,
  type Example,
  type FieldCount,
  type FileTotals,
  type FindingSeverity,
  type FileWarning,
  type RunFacts,
} from './counts.js'
export { FileFailure, interrupted, reasonOf } from './file-failure.js'
export { accessFault, AccessRefused, assertAccess, scopesOf } from './import/access.js'
export { importChecker } from './import/batch-run.js'
export {
  errorsOf,
  type ImportSteps,
  ImportStopped,
  type LineOutcome,
  lineStates,
  progressText,
  statesText,
  stateWords,
  type Step,
  steps,
  Tally,
  withRequestId,
} from './import/import-job.js'
export { Runs } from './import/runs.js'
export { bulkRequests, type Processed, type ServiceSetup } from './import/service.js'
export { formatFault } from './lines/formats.js'
export { blanked, isBlank, joined, type LineRange, linesOf } from './lines/lines-of.js'
export { type Conversion, type Piece, piecesOf } from './lines/pieces.js'
export { type Checker, type LineTotals, type Pass, passOf } from './pass.js'
export { digestBytes, type DigestOf, type Numbers } from './reconcile/compare.js'
export {
  accountCounts,
  type Controls,
  controlTotals,
  equalText,
  type Proof,
  verdictText,
} from './reconcile/proof.js'
export { type NotReconciled, type ReadableFile, reconciled, readingSettings } from './reconcile/reconcile.js'
export { csvOf } from './tables/csv.js'
export { oneCell, printable, withoutReturns } from './tables/printable.js'
export { CsvTable, errorRows, tableHeads } from './tables/rows.js'
export { fieldAnchor, meaningText, structOf } from './totals/fields.js'
export { counted, decimalText, durationText, numberText, shareText, sizeText } from './totals/numbers.js'
export { sharedText, spreadNames, type Verdict, verdictOf, warningText } from './totals/texts.js'
