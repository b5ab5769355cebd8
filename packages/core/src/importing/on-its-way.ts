import type { FieldError } from '../codec/findings.js'
import type { AccountKey, ImportRefusal } from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import { E, type Either } from '../fp.js'
import type { Creation, Failed } from '../ports/account-imports.js'
import { noOutcome, type PortFailure } from '../ports/port-failure.js'
import type { ProcessingRefused } from '../checking/errors.js'
import { refusedBy, type SameData } from './import-refusals.js'
import { type NonEmpty, replaced } from '../lists/lists.js'
import {
  type AcceptedRequest,
  type ProcessAnswer,
  processedElsewhere,
  type Processed,
} from './accept-requests.js'

/** `token`: the claim under which the account is created; undefined where creation needs none. */
type Way = Readonly<{ accepted: AcceptedRequest; token: string | undefined }>

/** The findings about judged data. `account`: only if somebody reads it. */
type Judged = Readonly<{ warnings: readonly FieldError[]; account?: Account | undefined }>

/**
 * An account on its way to be created, with what is known of it: its request was accepted; the store is asked for its `creation`; the
 * store wants its data to be judged first; it `exists`, and its data is to be compared; or it has its answer. `created`: the
 * new account, if the platform or an e-mail needs it.
 */
export type OnItsWay =
  | (Way & Readonly<{ step: 'accepted' }>)
  | (Way & Judged & Readonly<{ step: 'asking'; creation: Creation }>)
  | (Way & Readonly<{ step: 'to_judge'; creation: Creation }>)
  | (Way & Readonly<{ step: 'exists'; refusal: AlreadyImported }>)
  | (Way & Readonly<{ step: 'answered'; answer: ProcessAnswer; created?: Account | undefined }>)

type AlreadyImported = Extract<ImportRefusal, { _tag: 'already_imported' }>

export type Page = readonly OnItsWay[]

/** An account at one of the steps. */
export type At<Step extends OnItsWay['step']> = Extract<OnItsWay, { step: Step }>

/** Does the work for the accounts of a page that are at the step; it returns each, in their order, with more known. */
export const at = <Step extends OnItsWay['step']>(
  page: Page,
  step: Step,
  work: (those: NonEmpty<At<Step>>) => Promise<Page>,
): Promise<Page> => replaced(page, (each): each is At<Step> => each.step === step, work)

export const keyOf = ({ accepted: { key } }: OnItsWay): AccountKey => key

/** An account on whose creation the store has not decided. */
export type Open = At<'asking' | 'to_judge'>

export const isOpen = (each: OnItsWay): each is Open => each.step === 'asking' || each.step === 'to_judge'

export const answered = (
  { accepted, token }: OnItsWay,
  answer: ProcessAnswer,
  created?: Account,
): At<'answered'> => ({ step: 'answered', accepted, token, answer, created })

export const refused = (each: OnItsWay, refusal: ProcessingRefused | PortFailure): At<'answered'> =>
  answered(each, E.left(refusal))

/** An account that its import refuses, or whose change failed. */
export const endedBy = (each: OnItsWay, end: ImportRefusal | Failed): OnItsWay => {
  const { accepted, token } = each
  switch (end._tag) {
    case 'failed':
      return refused(each, end.failure)
    case 'already_imported':
      return { step: 'exists', accepted, token, refusal: end }
    case 'in_progress':
      return refused(each, processedElsewhere)
    case 'marked_to_skip':
      return refused(each, { _tag: 'AccountMarkedToSkip' })
  }
}

/** The answer of an account that exists. */
export const existingAnswer = (
  { accepted: { key }, refusal }: At<'exists'>,
  sameData: SameData,
): Either<ProcessingRefused, Processed> => refusedBy(refusal, key, sameData, processedElsewhere)

/** An account that has no answer at the end is a fault of the store. */
export const answerIn = (each: OnItsWay): ProcessAnswer =>
  each.step === 'answered' ? each.answer : E.left(noOutcome())
