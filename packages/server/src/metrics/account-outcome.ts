import { endpoints } from '@account-import/http-contract'

/** The steps of an import. */
export type Step = 'validate' | 'stage' | 'process'

/** What becomes of an account in a step. `busy`: it, or the service, is at work on something else; it may be sent again. */
export type AccountOutcome = 'valid' | 'created' | 'replaced' | 'dry_run' | 'refused' | 'busy' | 'failed'

const steps: ReadonlyMap<string, Step> = new Map([
  [endpoints.validateAccount.path, 'validate'],
  [endpoints.stageAccount.path, 'stage'],
  [endpoints.processAccount.path, 'process'],
])

const bulkSteps: ReadonlyMap<string, Step> = new Map([
  [endpoints.bulkValidate.path, 'validate'],
  [endpoints.bulkStage.path, 'stage'],
  [endpoints.bulkProcess.path, 'process'],
])

/** The step that bulk requests to a path pattern do for each of their accounts; undefined for all others. */
export const bulkStepOf = (route: string): Step | undefined => bulkSteps.get(route)

/** What the counts of a bulk request count; `valid` is a dry run where accounts are processed. */
export const bulkOutcome = (step: Step, count: string): AccountOutcome | undefined => {
  if (count === 'created') return 'created'
  if (count === 'updated') return 'replaced'
  if (count === 'valid') return step === 'process' ? 'dry_run' : 'valid'
  return count === 'failed' ? 'refused' : undefined
}

/** The step that requests to a path pattern do for one account; undefined for all others. */
export const stepOf = (route: string): Step | undefined => steps.get(route)

/**
 * What became of an account, by the status and code of its answer. Undefined where the account was not looked at, such as
 * without a token.
 */
export const accountOutcome = (
  step: Step,
  status: number,
  code: string | undefined,
): AccountOutcome | undefined => {
  if (status === 201) return 'created'
  if (status === 200) return step === 'validate' ? 'valid' : 'replaced'
  if (code === 'dry_run_succeeded') return 'dry_run'
  if (status === 400) return 'refused'
  if (status === 429 || status === 409) return 'busy'
  return status >= 500 ? 'failed' : undefined
}
