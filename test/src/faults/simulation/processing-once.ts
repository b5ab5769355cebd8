import type { PortFailure, Processed, ProcessingRefused, UseCases } from '@account-import/core'
import { E, pipe, TE, type Either, type TaskEither } from '@account-import/core/adapter-kit'
import { expectRefusal, hearNumber, isCreated, organisation, type Answered, type Client } from './client.js'
import { hearProcessed, processing } from './staging-and-processing.js'

type Result = Either<ProcessingRefused | PortFailure, Processed>

/** What is kept of a result: that which would not be another one if the request came again. */
const keptText = (result: Result): string | undefined => {
  if (E.isRight(result)) return `created as ${result.right.platformAccountNumber}`
  const { left } = result
  return left._tag === 'AccountAlreadyImported' ? `there as ${left.platformAccountNumber}` : undefined
}

const numberIn = (text: string): string => text.split(' as ')[1] ?? ''

/** The result of this request, or the text that was kept of an earlier one. */
type Given = Readonly<{ own: Result }> | Readonly<{ kept: string }>

/** There is one key for each account, so that clients meet at it. */
const processUnderKey = (number: string) => (useCases: UseCases) => {
  const request = {
    organisation,
    key: `process ${number}`,
    method: 'POST',
    path: '/process',
    content: 'c'.repeat(64),
  }
  let own: Result | undefined
  const first = async () => {
    const payload = { ...processing, external_account_number: number }
    own = await useCases.processAccount({ organisation, payload })()
    const body = keptText(own)
    return { answer: { status: 200, headers: {}, body: body ?? '' }, isFinal: body !== undefined }
  }
  return pipe(
    useCases.answerOnce(request, first),
    TE.flatMap(({ answer }): TaskEither<PortFailure, Given> => {
      if (own === undefined) return TE.right({ kept: answer.body })
      if (E.isLeft(own) && own.left._tag === 'PortFailure') return TE.left(own.left)
      return TE.right({ own })
    }),
  )
}

const once = async (client: Client, number: string): Promise<void> => {
  const { keptAnswers, violations } = client.known
  const before = keptAnswers.get(number)
  const wasCreated = isCreated(client, number)
  const answer = await client.ask(processUnderKey(number))
  if (answer === undefined) return
  if (E.isLeft(answer)) {
    const isExpected = before === undefined && answer.left._tag === 'IdempotencyKeyInProgress'
    return expectRefusal(client, isExpected, `processing ${number} under its key`, answer.left)
  }
  const given = answer.right
  const kept = 'kept' in given ? given.kept : undefined
  if (before !== undefined && before !== kept)
    violations.push(`I5: ${number}: its key was answered by ${kept ?? 'another try'} after ${before}`)
  // Its failures of ports are the client's answer already.
  if ('own' in given)
    return hearProcessed(client, number, wasCreated, given.own as Answered<ProcessingRefused, Processed>)
  keptAnswers.set(number, given.kept)
  hearNumber(client, number, numberIn(given.kept))
}

/** Processes under an idempotency key, so many times: what was given as kept once is the answer from then on. */
export const processOnce = async (client: Client, number: string, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) await once(client, number)
}
