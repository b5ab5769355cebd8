export { tooLargeLine } from './outcomes/batch.js'
export { checkBatch } from './check/check-lines.js'
export { accountsASecond, mostRemembered } from './outcomes/counts.js'
export { UndoTotals } from './outcomes/undo-totals.js'
export { FileFailure, interrupted, reasonOf } from './outcomes/file-failure.js'
export { AccessRefused, assertAccess, distance, scopesOf } from './import/access.js'
export { importChecker } from './import/batch-run.js'
export {
  errorsOf,
  ImportStopped,
  lineStates,
  progressText,
  statesText,
  stateWords,
  steps,
  Tally,
  withRequestId,
} from './import/import-job.js'
export { Runs } from './import/runs.js'
export { bulkRequests } from './import/service.js'
export { formatFault } from './lines/formats.js'
export { blanked, isBlank, joined, linesOf } from './lines/lines-of.js'
export { piecesOf } from './lines/pieces.js'
export { passOf } from './check/pass.js'
export { digestBytes, partsInMemory } from './reconcile/compare.js'
export { accountCounts, controlTotals, equalText, proofLists, verdictText } from './reconcile/proof.js'
export { reconciled, readingSettings } from './reconcile/reconcile.js'
export { csvOf } from './tables/csv.js'
export { oneCell, printable, withoutReturns } from './tables/printable.js'
export { CsvTable, errorRows, tableHeads } from './tables/rows.js'
export { fieldAnchor, fieldWords, meaningText, structOf } from './totals/fields.js'
export { counted, decimalText, durationText, numberText, shareText, sizeText } from './totals/numbers.js'
export {
  comparedText,
  lineText,
  repeatText,
  sharedText,
  spreadNames,
  verdictOf,
  warningText,
} from './totals/texts.js'
export type * from './outcomes/batch.js'
export type * from './check/check-lines.js'
export type * from './outcomes/counts.js'
export type * from './outcomes/file-failure.js'
export type * from './outcomes/undo-totals.js'
export type * from './import/access.js'
export type * from './import/batch-run.js'
export type * from './import/import-job.js'
export type * from './import/runs.js'
export type * from './import/service.js'
export type * from './lines/lines-of.js'
export type * from './lines/pieces.js'
export type * from './check/pass.js'
export type * from './reconcile/compare.js'
export type * from './reconcile/proof.js'
export type * from './reconcile/reconcile.js'
export type * from './tables/rows.js'
export type * from './totals/texts.js'
